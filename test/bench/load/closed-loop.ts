import type { GroupRecorder } from './group-recorder.ts';
import { HttpConnection } from './http-connection.ts';
import type { LoadGroup } from './load-plan.ts';

const RETRY_MS = 20;

/** Something that offers load until it is told to stop. */
export interface Load {
  /** Connects. */
  open(): Promise<void>;
  begin(): void;
  /** Starts no more calls. */
  pause(): void;
  /** Starts no more calls, waits for answers still due for at most `drainMs`, and closes. */
  stop(drainMs: number): Promise<void>;
}

/** Connections that each send their next request when the answer to the last one is there. */
export function openClosedLoop(group: LoadGroup, recorder: GroupRecorder): Load {
  const requests = group.requests.map((text) => Buffer.from(text));
  let stopped = false;
  let turn = 0;

  const next = (connection: HttpConnection) => {
    if (stopped) return;
    connection.dueAt = performance.now();
    connection.sentAt = connection.dueAt;
    turn = (turn + 1) % requests.length;
    connection.send(requests[turn] as Buffer);
  };
  const onAnswer = (status: number, connection: HttpConnection) => {
    recorder.record(status, connection, performance.now());
    if (status === 0) setTimeout(next, RETRY_MS, connection);
    else next(connection);
  };
  const connections = openConnections(group, group.connections, onAnswer);
  return {
    open: () => openInSteps(connections),
    begin() {
      for (const connection of connections) next(connection);
    },
    pause() {
      stopped = true;
    },
    async stop(drainMs) {
      stopped = true;
      await untilIdle(connections, drainMs);
    },
  };
}

/** Connections of a group, spread over its ports; not yet connected. */
export function openConnections(
  { ports }: LoadGroup,
  count: number,
  onAnswer: (status: number, connection: HttpConnection) => void,
): HttpConnection[] {
  return Array.from(
    { length: count },
    (_, index) => new HttpConnection(ports[index % ports.length] as number, onAnswer),
  );
}

/** Waits until no request is under way, for at most `drainMs`, and closes all. */
export async function untilIdle(connections: HttpConnection[], drainMs: number): Promise<void> {
  const until = performance.now() + drainMs;
  while (connections.some(({ busy }) => busy) && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  for (const connection of connections) connection.close();
}

/** Connects all; few at once, since a listening socket's queue of new connections is short. */
export async function openInSteps(connections: HttpConnection[]): Promise<void> {
  for (let at = 0; at < connections.length; at += 256) {
    await Promise.all(connections.slice(at, at + 256).map((connection) => connection.open()));
  }
}
