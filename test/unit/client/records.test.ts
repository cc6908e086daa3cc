import { expectTypeOf, test } from 'vitest';
import type * as z from 'zod';
import type { callShape } from '../../../src/api/calls/call-shape.ts';
import type * as shapes from '../../../src/api/records/shapes.ts';
import type {
  ApiKeyRecord,
  CallRecord,
  DeliveryRecord,
  MessengerAccountRecord,
  OrganizationRecord,
  WebhookRecord,
  WorkspaceRecord,
} from '../../../src/client/index.ts';

test('the records have the types that the API shows', () => {
  expectTypeOf<OrganizationRecord>().toEqualTypeOf<z.output<typeof shapes.organization>>();
  expectTypeOf<WorkspaceRecord>().toEqualTypeOf<z.output<typeof shapes.workspace>>();
  expectTypeOf<MessengerAccountRecord>().toEqualTypeOf<z.output<typeof shapes.messengerAccount>>();
  expectTypeOf<z.output<typeof shapes.apiKey>>().toExtend<ApiKeyRecord>();
  expectTypeOf<WebhookRecord>().toEqualTypeOf<z.output<typeof shapes.webhook>>();
  expectTypeOf<DeliveryRecord>().toEqualTypeOf<z.output<typeof shapes.delivery>>();
  expectTypeOf<keyof CallRecord>().toEqualTypeOf<keyof z.output<typeof callShape>>();
});
