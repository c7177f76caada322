import { expect } from 'chai';
import { json } from '../../support/loopback.ts';
import { hubspotToolkit, record, token } from './hubspot-toolkit.ts';

describe('@toolkit/hubspot: records', () => {
  const addressed: readonly { tool: string; parameters: Readonly<Record<string, unknown>>; url: string }[] = [
    {
      tool: 'hubspot_get_contact',
      parameters: { contact_id: 'zoë+crm/x@exämple.fr', id_property: 'email' },
      url: '/crm/v3/objects/contacts/zo%C3%AB%2Bcrm%2Fx%40ex%C3%A4mple.fr?idProperty=email',
    },
    {
      tool: 'hubspot_update_deal',
      parameters: { deal_id: '50% & more?', id_property: 'contract_number', properties: { amount: '1' } },
      url: '/crm/v3/objects/deals/50%25%20%26%20more%3F?idProperty=contract_number',
    },
    {
      tool: 'hubspot_get_custom_object',
      parameters: { object_type: 'p20884141_cars', object_id: '65059681027' },
      url: '/crm/v3/objects/p20884141_cars/65059681027',
    },
    {
      tool: 'hubspot_create_custom_object',
      parameters: { object_type: '2-3465404', properties: { vin: 'x' } },
      url: '/crm/v3/objects/2-3465404',
    },
    {
      tool: 'hubspot_delete_custom_object',
      parameters: { object_type: 'p_cars', object_id: '#1' },
      url: '/crm/v3/objects/p_cars/%231',
    },
  ];
  for (const { tool, parameters, url } of addressed) {
    it(`are addressed as ${url}`, async () => {
      const { toolkit, requests } = await hubspotToolkit((request, response) =>
        request.method === 'DELETE' ? response.writeHead(204).end() : json(response, record('51')),
      );
      await toolkit.execute(tool, parameters);
      expect(requests.map((request) => request.url)).to.deep.equal([url]);
    });
  }

  it('are sent as they are given: any letters, line breaks, empty texts, and braces that are no placeholders', async () => {
    const { toolkit, requests } = await hubspotToolkit();
    const properties = {
      firstname: 'Žofie 李 😀',
      address: 'Kantstraße 12\n2. Hof',
      phone: '',
      company: '{HUBSPOT_ACCESS_TOKEN} "quoted" \\ {contact_id}',
    };
    await toolkit.execute('hubspot_update_contact', { contact_id: '51', properties });
    expect(JSON.parse(requests[0]?.body ?? '')).to.deep.equal({ properties });
    expect(requests[0]?.body).to.not.include(token);
  });

  it('come whole, fields that HubSpot adds later included', async () => {
    const body = {
      ...record('51', { email: null }),
      url: 'https://app.hubspot.com/contacts/20884141/record/0-1/51',
      objectWriteTraceId: 'trace',
      associations: { companies: { results: [{ id: '27001', type: 'contact_to_company' }], paging: { next: { after: '27002' } } } },
      later: { added: [1] },
    };
    const { toolkit } = await hubspotToolkit((_request, response) => json(response, body));
    expect(await toolkit.execute('hubspot_get_contact', { contact_id: '51' })).to.deep.equal(body);
  });
});
