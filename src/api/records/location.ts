import type { Config } from '../../config.ts';
import type { Collection } from '../../directory/collections.ts';

/** The path that Switchboard's addresses stand under at its public address, without a slash at its end. */
export function basePath({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): string {
  return PUBLIC_URL === undefined ? '' : new URL(PUBLIC_URL).pathname.replace(/\/+$/, '');
}

/** Where a record can be read, as its `Location` header says. */
export function locationOf(config: Pick<Config, 'PUBLIC_URL'>, collection: Collection, id: string): string {
  return `${basePath(config)}/v1/${collection}/${id}`;
}

/** Where a kept call can be read. */
export function callLocation(config: Pick<Config, 'PUBLIC_URL'>, id: string): string {
  return `${basePath(config)}/v1/calls/${id}`;
}
