import type { Http } from './http/http.ts';
import type { TryOptions } from './options.ts';
import type {
  ApiKeyRecord,
  CallRecord,
  DeliveryRecord,
  MessengerAccountRecord,
  OrganizationRecord,
  WebhookRecord,
  WorkspaceRecord,
} from './records.ts';

/** What each list holds, and by what it can be narrowed. */
export interface Lists {
  organizations: { item: OrganizationRecord; filter: Record<string, never> };
  workspaces: { item: WorkspaceRecord; filter: { organizationId?: string | undefined } };
  'messenger-accounts': { item: MessengerAccountRecord; filter: { workspaceId?: string | undefined } };
  'api-keys': { item: ApiKeyRecord; filter: { createdBy?: string | undefined } };
  webhooks: { item: WebhookRecord; filter: { workspaceId?: string | undefined } };
  calls: {
    item: CallRecord;
    filter: {
      workspaceId?: string | undefined;
      messengerAccountId?: string | undefined;
      status?: CallRecord['status'] | undefined;
    };
  };
}

/** By what the deliveries of a webhook can be narrowed. */
export interface DeliveryFilter {
  status?: DeliveryRecord['status'] | undefined;
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
  const query = new URLSearchParams({ limit: PAGE_ITEMS, ...withoutUndefined(filter) });
  for (let next: string | null = null; ; ) {
    if (next !== null) query.set('startingAfter', next);
    const { body } = await http.request<Page<Item>>({ method: 'GET', path: `${path}?${query}` }, options);
    yield* body.data;
    next = body.cursors.next;
    if (!body.hasMore || next === null) return;
  }
}

function withoutUndefined(filter: object): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}
