// Owns a real A2A server on loopback: the request handler and the JSON-RPC transports of the official SDK, for 1.0 and for 0.3, around an agent that a test writes.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { AgentCard, Role, TaskState, type Message } from "@a2a-js/sdk-v1";
import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk-v1/compat/v0_3/server";
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore, JsonRpcTransportHandler, ServerCallContext, type AgentExecutor, type ExecutionEventBus, type RequestContext } from "@a2a-js/sdk-v1/server";

export interface A2aRun {
  readonly text: string;
  readonly context: RequestContext;
  readonly cancelled: AbortSignal;
  /** Opens the task. */
  task(state: TaskState): void;
  /** Shows the task that this turn goes on with, as it had stopped. */
  resume(): void;
  status(state: TaskState, text?: string): void;
  artifact(id: string, text: string, over?: { readonly append?: boolean; readonly lastChunk?: boolean; readonly data?: unknown; readonly file?: string }): void;
  message(text: string): void;
}

export interface A2aServer extends AsyncDisposable {
  readonly url: string;
  /** The bodies of the requests, with the version that their headers name. */
  readonly received: readonly { readonly method: string; readonly params: any; readonly version: string | undefined }[];
}

export interface ServerOptions {
  readonly protocol?: "1.0" | "0.3";
  readonly streaming?: boolean;
  /** Closes the connection of a stream after so many events, without ending the answer. */
  readonly cutAfter?: number;
}

const MAX_REQUESTS = 200;
const textPart = (value: string): Message["parts"][number] => ({ content: { $case: "text", value }, metadata: undefined, filename: "", mediaType: "text/plain" });

export async function a2aServer(agent: (run: A2aRun) => Promise<void> | void, { protocol = "1.0", streaming = true, cutAfter }: ServerOptions = {}): Promise<A2aServer> {
  const cancels = new Map<string, AbortController>();
  const contexts = new Map<string, string>();
  let count = 0;
  const publish = (bus: ExecutionEventBus, context: RequestContext): A2aRun => {
    const { taskId, contextId } = context;
    const controller = cancels.get(taskId) ?? new AbortController();
    cancels.set(taskId, controller);
    contexts.set(taskId, contextId);
    const said = (text: string): Message => ({ messageId: `m${++count}`, contextId, taskId, role: Role.ROLE_AGENT, parts: [textPart(text)], metadata: undefined, extensions: [], referenceTaskIds: [] });
    const status = (state: TaskState, text?: string) => ({ state, message: text === undefined ? undefined : said(text), timestamp: new Date(0).toISOString() });
    return {
      text: context.userMessage.parts.map(({ content }) => (content?.$case === "text" ? content.value : "")).join(""),
      context,
      cancelled: controller.signal,
      task: (state) => bus.publish(AgentEvent.task({ id: taskId, contextId, status: status(state), artifacts: [], history: [context.userMessage], metadata: undefined })),
      resume() {
        if (context.task !== undefined) bus.publish(AgentEvent.task(context.task));
      },
      status: (state, text) => bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status: status(state, text), metadata: undefined })),
      artifact(artifactId, text, { append = false, lastChunk = false, data, file } = {}) {
        const parts = text === "" ? [] : [textPart(text)];
        if (data !== undefined) parts.push({ content: { $case: "data", value: data }, metadata: undefined, filename: "", mediaType: "application/json" });
        if (file !== undefined) parts.push({ content: { $case: "url", value: file }, metadata: undefined, filename: "", mediaType: "image/png" });
        bus.publish(AgentEvent.artifactUpdate({ taskId, contextId, artifact: { artifactId, name: "", description: "", parts, metadata: undefined, extensions: [] }, append, lastChunk, metadata: undefined }));
      },
      message: (text) => bus.publish(AgentEvent.message(said(text))),
    };
  };
  const executor: AgentExecutor = {
    execute: async (context, bus) => agent(publish(bus, context)),
    // oxlint-disable-next-line typescript/require-await -- the port is asynchronous
    cancelTask: async (taskId, bus) => {
      cancels.get(taskId)?.abort();
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId: contexts.get(taskId) ?? "", status: { state: TaskState.TASK_STATE_CANCELED, message: undefined, timestamp: undefined }, metadata: undefined }));
    },
  };
  const card = AgentCard.fromJSON({ name: "test", description: "A test.", version: "1", capabilities: { streaming }, supportedInterfaces: [{ url: "http://127.0.0.1", protocolBinding: "JSONRPC", protocolVersion: protocol }] });
  const handler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
  const transport = protocol === "1.0" ? new JsonRpcTransportHandler(handler) : new LegacyJsonRpcTransportHandler(handler);
  const received: { method: string; params: unknown; version: string | undefined }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => (body += String(piece)));
    const answerTo = async (): Promise<void> => {
      if (received.length >= MAX_REQUESTS) return void response.writeHead(500).end();
      const { method, params } = JSON.parse(body) as { method: string; params: unknown };
      received.push({ method, params, version: request.headers["a2a-version"] as string | undefined });
      const answer = await transport.handle(body, new ServerCallContext({ requestedVersion: protocol }));
      if (!(Symbol.asyncIterator in answer)) return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
      response.writeHead(200, { "content-type": "text/event-stream" });
      let sent = 0;
      try {
        for await (const event of answer) {
          response.write(`data: ${JSON.stringify(event)}\n\n`);
          // Late enough for what was written to arrive.
          if (++sent === cutAfter) return void setTimeout(() => response.destroy(), 20);
        }
      } catch (thrown) {
        // As the SDK's own Express handler writes it.
        response.write(`event: error\ndata: ${JSON.stringify({ jsonrpc: "2.0", id: null, error: JsonRpcTransportHandler.mapToJSONRPCError(thrown) })}\n\n`);
      }
      return void response.end();
    };
    request.on("end", () => void answerTo());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
