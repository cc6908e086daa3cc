import type { FastifyReply } from 'fastify';

/** Adds the name of a header to `Vary`. */
export function vary(reply: FastifyReply, name: string): void {
  const before = reply.getHeader('vary');
  reply.header('vary', before === undefined ? name : `${before}, ${name}`);
}
