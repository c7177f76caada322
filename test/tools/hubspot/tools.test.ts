import { expect } from 'chai';
import type { Tool } from '../../../kernel/index.ts';
import { packToolkit } from '../packs.ts';

/** One record, many records, and the scope without its verb. */
const objects: readonly (readonly [one: string, many: string, scope: string])[] = [
  ['contact', 'contacts', 'crm.objects.contacts'],
  ['company', 'companies', 'crm.objects.companies'],
  ['deal', 'deals', 'crm.objects.deals'],
  ['ticket', 'tickets', 'tickets'],
  ['product', 'products', 'crm.objects.products'],
  ['line_item', 'line_items', 'crm.objects.line_items'],
  ['lead', 'leads', 'crm.objects.leads'],
  ['order', 'orders', 'crm.objects.orders'],
  ['invoice', 'invoices', 'crm.objects.invoices'],
  ['custom_object', 'custom_objects', 'crm.objects.custom'],
];

const verbs = [
  { verb: 'create', method: 'post', access: 'write', risk: 'medium', gate: undefined, parameters: ['properties', 'associations'] },
  {
    verb: 'get',
    method: 'get',
    access: 'read',
    risk: 'low',
    gate: undefined,
    parameters: ['id', 'properties', 'properties_with_history', 'associations', 'archived', 'id_property'],
  },
  {
    verb: 'list',
    method: 'get',
    access: 'read',
    risk: 'low',
    gate: undefined,
    parameters: ['limit', 'after', 'max_items', 'properties', 'properties_with_history', 'associations', 'archived'],
  },
  { verb: 'update', method: 'patch', access: 'write', risk: 'medium', gate: undefined, parameters: ['id', 'properties', 'id_property'] },
  { verb: 'delete', method: 'delete', access: 'write', risk: 'high', gate: true, parameters: ['id'] },
] as const;

async function tools(): Promise<ReadonlyMap<string, Tool>> {
  const { registry } = (await packToolkit('hubspot')).kernel;
  return new Map([...registry.tools].filter(([, { provider }]) => provider?.name === 'hubspot'));
}

const nameOf = (verb: string, one: string, many: string): string => `hubspot_${verb}_${verb === 'list' ? many : one}`;

describe('@toolkit/hubspot: tools', () => {
  it('are five verbs for each of ten objects, and no others', async () => {
    const names = objects.flatMap(([one, many]) => verbs.map(({ verb }) => nameOf(verb, one, many)));
    expect(names).to.have.lengthOf(50);
    expect([...(await tools()).keys()]).to.have.members(names);
  });

  for (const { verb, method, access, risk, gate, parameters } of verbs) {
    it(`that ${verb} have the method ${method}, risk ${risk}, the scope to ${access} and the same parameters for every object`, async () => {
      const known = await tools();
      for (const [one, many, scope] of objects) {
        const name = nameOf(verb, one, many);
        const { definition, risk: ownRisk, parameters: own } = known.get(name) as Tool;
        const path = ['/crm/v3/objects/', one === 'custom_object' ? '{object_type}' : many];
        const id = one === 'custom_object' ? 'object_id' : `${one}_id`;
        if (parameters.some((parameter) => parameter === 'id')) path.push(`/{${id}}`);
        expect({ name, method: definition.execution['method'], risk: ownRisk, gate: definition.requires_approval }).to.deep.equal({
          name,
          method,
          risk,
          gate,
        });
        expect(definition.execution['url'], name).to.equal(path.join(''));
        expect(definition.authentication?.required_scopes, name).to.deep.equal([scope === 'tickets' ? scope : `${scope}.${access}`]);
        const type = one === 'custom_object' ? ['object_type'] : [];
        expect(Object.keys(own), name).to.have.members([...type, ...parameters.map((key) => (key === 'id' ? id : key))]);
      }
    });
  }
});
