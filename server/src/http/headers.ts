// Response headers that more than one place writes.
import type { FastifyReply } from 'fastify';

/** Adds this request header to the response's `Vary`, beside the earlier ones. */
export function addVary(reply: FastifyReply, name: string): void {
  const before = reply.getHeader('vary');
  reply.header('vary', before === undefined ? name : `${String(before)}, ${name}`);
}
