// Owns what a call carries along to everything that it starts: the one way in which something is taken from the air, and only where Node is.

/** What is carried along, by kind. */
export interface Carried<Value> {
  /** Calls `call`; whatever it starts finds `value`, also after `call` has ended. Where there is no Node it is just called. */
  within<Result>(value: Value, call: () => Result): Result;
  /** What the running code was started with; `undefined` outside any such call and where there is no Node. */
  current(): Value | undefined;
}

interface Storage<Value> {
  run<Result>(store: Value, call: () => Result): Result;
  getStore(): Value | undefined;
}

export function carried<Value>(): Carried<Value> {
  let opened: Storage<Value> | null | undefined;
  const storage = (): Storage<Value> | null => {
    if (opened === undefined) {
      const hooks = globalThis.process?.getBuiltinModule?.("async_hooks");
      opened = hooks === undefined ? null : new hooks.AsyncLocalStorage<Value>();
    }
    return opened;
  };
  return {
    within(value, call) {
      const store = storage();
      return store === null ? call() : store.run(value, call);
    },
    current: () => storage()?.getStore(),
  };
}
