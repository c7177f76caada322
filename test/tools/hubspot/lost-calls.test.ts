import { lostCalls } from '../lost-calls.ts';

lostCalls('hubspot', [
  {
    tool: 'hubspot_create_contact',
    asks: () => ['/crm/v3/objects/contacts/maria.johnson@example.com?idProperty=email'],
    tells: (contact, at) => ({ ...contact, createdAt: new Date(at).toISOString() }),
    tellsNothing: undefined,
  },
]);
