// Owns the door to the words of a conversation, for whoever speaks one.

export { type ApprovalPolicy, APPROVALS, type ConversationSoFar, type ConversationTurn, type TurnInput, type TurnInputFunction } from "../core/conversation.ts";
