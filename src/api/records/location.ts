import type { Config } from '../../config.ts';
import type { Collection } from '../../directory/collections.ts';

/** The path of `PUBLIC_URL`, without a trailing slash. */
export function basePath({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): string {
  return PUBLIC_URL === undefined ? '' : new URL(PUBLIC_URL).pathname.replace(/\/+$/, '');
}

/** The `Location` of a record. */
export function locationOf(config: Pick<Config, 'PUBLIC_URL'>, collection: Collection, id: string): string {
  return `${basePath(config)}/v1/${collection}/${id}`;
}

/** The `Location` of an async call. */
export function callLocation(config: Pick<Config, 'PUBLIC_URL'>, id: string): string {
  return `${basePath(config)}/v1/calls/${id}`;
}
