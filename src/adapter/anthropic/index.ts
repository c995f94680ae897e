// The door "entail/adapter/anthropic".
export {};
