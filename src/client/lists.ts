import type { MethodName } from '../tl/tl-json.ts';
import { NoAnswerError } from './errors.ts';
import type { Http } from './http/http.ts';
import { notOfApi } from './http/send.ts';
import type { TryOptions } from './options.ts';
import type {
  ApiKeyRecord,
  AuditRecord,
  CallRecord,
  DeliveryRecord,
  MessengerAccountRecord,
  OrganizationRecord,
  PauseRecord,
  WebhookRecord,
  WorkerRecord,
  WorkspaceRecord,
} from './records.ts';

/** A time, also as ISO 8601 text. */
type Time = Date | string;

/** The order of a list, and which part of it is wanted. */
export interface ListOptions {
  /** `createdAt`, the default, for the oldest first; `-createdAt` for the newest first. */
  sort?: 'createdAt' | '-createdAt' | undefined;
  /** Only what was made at that time or later. */
  createdAfter?: Time | undefined;
  /** Only what was made before that time. */
  createdBefore?: Time | undefined;
}

/** The filters of a list of records, in addition to its order. */
interface RecordFilter extends ListOptions {
  organizationId?: string | undefined;
}

interface WorkspaceFilter extends RecordFilter {
  workspaceId?: string | undefined;
}

/** The items, the filters and the order of each list. */
export interface Lists {
  organizations: { item: OrganizationRecord; filter: ListOptions };
  workspaces: { item: WorkspaceRecord; filter: RecordFilter };
  'messenger-accounts': {
    item: MessengerAccountRecord;
    filter: WorkspaceFilter & {
      status?: MessengerAccountRecord['status'] | undefined;
      driver?: string | undefined;
    };
  };
  'api-keys': { item: ApiKeyRecord; filter: WorkspaceFilter & { createdBy?: string | undefined } };
  webhooks: {
    item: WebhookRecord;
    filter: WorkspaceFilter & { status?: WebhookRecord['status'] | undefined };
  };
  calls: { item: CallRecord; filter: CallFilter };
  pauses: { item: PauseRecord; filter: Record<string, never> };
  workers: { item: WorkerRecord; filter: Record<string, never> };
  audit: {
    item: AuditRecord;
    filter: ListOptions & {
      by?: string | undefined;
      action?: string | undefined;
      target?: string | undefined;
    };
  };
}

/** The filters and the order of async calls. */
export interface CallFilter extends Omit<ListOptions, 'sort'> {
  /** By `finishedAt` only calls that have ended are listed, which is the default with `finishedAfter` or `finishedBefore`. */
  sort?: ListOptions['sort'] | 'finishedAt' | '-finishedAt';
  finishedAfter?: Time | undefined;
  finishedBefore?: Time | undefined;
  workspaceId?: string | undefined;
  messengerAccountId?: string | undefined;
  status?: CallRecord['status'] | undefined;
  method?: MethodName | undefined;
}

/** The filters and the order of a webhook's deliveries. */
export interface DeliveryFilter extends Omit<ListOptions, 'sort'> {
  /** By `settledAt` only deliveries that are over are listed, which is the default with `settledAfter` or `settledBefore`. */
  sort?: ListOptions['sort'] | 'settledAt' | '-settledAt';
  settledAfter?: Time | undefined;
  settledBefore?: Time | undefined;
  status?: DeliveryRecord['status'] | undefined;
  messengerAccountId?: string | undefined;
}

interface Page<Item> {
  data: Item[];
  hasMore: boolean;
  cursors: { next: string | null };
}

const PAGE_ITEMS = '100';

/** The items of a list, page after page as they are needed. The list goes on while it changes; what is deleted meanwhile may be left out. */
export async function* readList<Item>(
  http: Http,
  path: string,
  filter: object,
  options: TryOptions,
): AsyncGenerator<Item, void, undefined> {
  const query = new URLSearchParams({ limit: PAGE_ITEMS, ...toQuery(filter) });
  for (let next: string | null = null; ; ) {
    if (next !== null) query.set('startingAfter', next);
    const { body } = await http.request<Page<Item>>({ method: 'GET', path: `${path}?${query}` }, options);
    if (!isPage(body ?? {})) throw new NoAnswerError(notOfApi());
    yield* body.data;
    next = body.cursors.next;
    if (!body.hasMore || next === null) return;
  }
}

function isPage({ data, cursors }: Partial<Page<unknown>>): boolean {
  return Array.isArray(data) && typeof cursors === 'object' && cursors !== null;
}

function toQuery(filter: object): Record<string, string> {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  );
}
