import { type Load, openConnections, openInSteps, untilIdle } from './closed-loop.ts';
import type { GroupRecorder } from './group-recorder.ts';
import type { HttpConnection } from './http-connection.ts';
import { Line } from './line.ts';
import type { LoadGroup } from './load-plan.ts';

const TICK_MS = 2;

/**
 * Calls that become due at a fixed rate, whatever comes back. `connections` is how many may be open; a call that finds none
 * free waits, and its time counts from when it was due.
 */
export function openOpenLoop(group: LoadGroup, recorder: GroupRecorder): Load {
  const requests = group.requests.map((text) => Buffer.from(text));
  const rate = group.ratePerSecond ?? 0;
  // In turn: a server gives connections up on which nothing comes, and thousands of them at once hold it up.
  const free = new Line<HttpConnection>();
  const waiting = new Line<number>();
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
    if (dueAt === undefined) free.push(connection);
    else send(connection, dueAt);
  };
  const connections = openConnections(group, group.connections, onAnswer);
  return {
    open: () => openInSteps(connections),
    begin() {
      for (const connection of connections) free.push(connection);
      const startedAt = performance.now();
      let offered = 0;
      timer = setInterval(() => {
        const now = performance.now();
        const due = ((now - startedAt) / 1_000) * rate;
        for (; offered < due; offered += 1) {
          const dueAt = startedAt + (offered / rate) * 1_000;
          const connection = free.shift();
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
