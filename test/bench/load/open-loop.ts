import { Ring } from '../../../src/ring.ts';
import { type Load, openConnections, openInSteps, untilIdle } from './closed-loop.ts';
import type { GroupRecorder } from './group-recorder.ts';
import type { HttpConnection } from './http-connection.ts';
import type { LoadGroup } from './load-plan.ts';

const TICK_MS = 2;

/**
 * Calls that become due at a fixed rate, whatever comes back. As in the pool of an HTTP client a call takes the connection that was
 * used last, or opens one when all are busy; `connections` is how many may be open. Ports take turns, as behind a balancer that knows
 * nothing of them. A call that finds none free waits, and its time counts from when it was due.
 */
export function openOpenLoop(group: LoadGroup, recorder: GroupRecorder): Load {
  const requests = group.requests.map((text) => Buffer.from(text));
  const rate = group.ratePerSecond ?? 0;
  const waiting = new Ring<number>();
  let turn = 0;
  let timer: NodeJS.Timeout | undefined;

  const send = (connection: HttpConnection, dueAt: number) => {
    connection.dueAt = dueAt;
    connection.sentAt = performance.now();
    turn = (turn + 1) % requests.length;
    connection.send(requests[turn] as Buffer);
  };
  const onAnswer = (status: number, connection: HttpConnection) => {
    recorder.record(status, connection, performance.now());
    const dueAt = waiting.shift();
    if (dueAt === undefined) free.get(connection.port)?.push(connection);
    else send(connection, dueAt);
  };
  const connections = openConnections(group, group.connections, onAnswer);
  const free = new Map<number, HttpConnection[]>(group.ports.map((port) => [port, []]));
  for (const connection of connections.toReversed()) free.get(connection.port)?.push(connection);
  const takeFree = (number: number): HttpConnection | undefined => {
    for (let tried = 0; tried < group.ports.length; tried += 1) {
      const port = group.ports[(number + tried) % group.ports.length] as number;
      const connection = free.get(port)?.pop();
      if (connection !== undefined) return connection;
    }
    return undefined;
  };
  return {
    // One of each port, to see that somebody listens.
    open: () => openInSteps(connections.slice(0, group.ports.length)),
    begin() {
      const startedAt = performance.now();
      let offered = 0;
      timer = setInterval(() => {
        const now = performance.now();
        const due = ((now - startedAt) / 1_000) * rate;
        for (; offered < due; offered += 1) {
          const dueAt = startedAt + (offered / rate) * 1_000;
          const connection = takeFree(offered);
          recorder.offer(dueAt, now, connection !== undefined);
          if (connection) send(connection, dueAt);
          else waiting.push(dueAt);
        }
      }, TICK_MS);
    },
    pause() {
      clearInterval(timer);
    },
    async stop(drainMs) {
      clearInterval(timer);
      await untilIdle(connections, drainMs);
    },
  };
}
