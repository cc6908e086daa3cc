import type { Agent } from 'node:http';
import type { Duplex } from 'node:stream';

/** The most idle connections to receivers that a process keeps. */
export const IDLE_MAX = 256;

/** The most of them that have served the same organization last. */
export const IDLE_OF_ORGANIZATION = 32;

/**
 * Bounds the idle connections of agents. Node bounds those of each origin only, and an organization may have thousands of origins: each time
 * one of their connections has been idle for long, Node looks through all.
 */
export class IdleConnections {
  private readonly users = new WeakMap<Duplex, string>();
  /** How to forget each that is idle. */
  private readonly kept = new Map<Duplex, () => void>();
  private readonly counts = new Map<string, number>();

  /** Has an agent close connections that are not to be kept. */
  bound<A extends Agent>(agent: A): A {
    const { keepSocketAlive, reuseSocket } = agent;
    // Node goes by the result, whatever its types say.
    agent.keepSocketAlive = (socket): boolean => {
      // Not if the receiver closes it so soon that a delivery could meet that.
      const mayKeep: unknown = keepSocketAlive.call(agent, socket);
      return mayKeep === true && this.keep(socket);
    };
    agent.reuseSocket = (socket, request) => {
      this.kept.get(socket)?.();
      reuseSocket.call(agent, socket, request);
    };
    return agent;
  }

  /** Notes which organization a connection serves. */
  use(socket: Duplex, organizationId: string): void {
    this.users.set(socket, organizationId);
  }

  /** Whether a connection may be kept that serves nobody now. It counts until it is used again or closed. */
  private keep(socket: Duplex): boolean {
    const user = this.users.get(socket) ?? '';
    const count = this.counts.get(user) ?? 0;
    if (this.kept.size >= IDLE_MAX || count >= IDLE_OF_ORGANIZATION) return false;
    // Nobody has asked for it. Node would read it without end, and each byte would put off the timeout.
    const onData = () => socket.destroy();
    const forget = () => {
      socket.off('data', onData).off('close', forget);
      this.kept.delete(socket);
      const rest = (this.counts.get(user) ?? 0) - 1;
      if (rest > 0) this.counts.set(user, rest);
      else this.counts.delete(user);
    };
    socket.on('data', onData).on('close', forget);
    this.kept.set(socket, forget);
    this.counts.set(user, count + 1);
    return true;
  }
}
