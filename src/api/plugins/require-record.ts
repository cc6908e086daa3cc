import type { onRequestHookHandler } from 'fastify';
import type { Collection, Records } from '../../directory/collections.ts';
import type { Directory } from '../../directory/directory.ts';
import { mayChangeRecord, maySeeRecord } from '../../directory/principal.ts';
import { findRecord, notFound } from '../../directory/records.ts';
import { Problem } from '../../problem.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The record of the path; only after `requireRecord`. */
    record: Records[Collection];
    /** What the request has made of it, from then on whatever fails after that: null if it is deleted, undefined if nothing. */
    changed: Records[Collection] | null | undefined;
  }
}

/**
 * A hook that finds the record of a path. It answers the same 404 for one that is missing and one the principal may not see.
 */
export function requireRecord(
  { redis }: Directory,
  collection: Collection,
  parameter = 'id',
): onRequestHookHandler {
  return function checkRecord(request, _reply, done) {
    const { [parameter]: id = '' } = request.params as Record<string, string>;
    findRecord(redis, collection, id).then((record) => {
      if (record === null || !maySeeRecord(request.principal, collection, record))
        return done(notFound(collection));
      request.record = record;
      done();
    }, done);
  };
}

/** A hook, after `requireRecord`, that refuses changes by a principal that may only see the record. */
export function requireChangeable(collection: Collection): onRequestHookHandler {
  return function checkChangeable(request, _reply, done) {
    if (mayChangeRecord(request.principal, collection, request.record)) done();
    else
      done(
        new Problem('forbidden', {
          detail: "A workspace's API key cannot change its organization.",
        }),
      );
  };
}
