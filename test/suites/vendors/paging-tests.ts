import { expect } from 'chai';
import { isPlainObject, type JsonValue, messageOf } from '../../../kernel/index.ts';
import type { Paginate } from '../../../plugins/executor-http/definition/paginate.ts';
import type { CatalogueTool } from './catalogue.ts';
import { Findings } from './findings.ts';
import { memberAt, pagedList } from './paged-list.ts';
import { paginateOf } from './paginate-of.ts';
import { requiredCall } from './request-variants.ts';
import type { DescribedTool, Sources } from './sources.ts';
import { pagingOf } from './vendor-paging.ts';
import { openVendors, type Vendors, vendorNames } from './vendors.ts';

/** Names of the parameters with which the vendors lead to a next page. */
const leads = ['cursor', 'page', 'page_token', 'start_cursor', 'after', 'offset'];

/** Lists that have several pages, to the number of items that is wanted and to their end. */
export function testPaging({ providers, described }: Sources): void {
  describe('the provider packs and long lists', () => {
    let vendors: Vendors;

    before(async () => {
      vendors = await openVendors(vendorNames(providers));
    });

    after(() => vendors.close());

    for (const one of described.filter(({ tool }) => isPaged(tool))) {
      const { tool, operation } = one;

      it(`${tool.name} gets as many items as are wanted, page by page`, async () => {
        const paginate = neededPaginate(vendors, tool);
        const { maximum } = pagingOf(tool.provider, operation.id).size;
        const { items, requests } = await listed(vendors, one, paginate, maximum + 1, maximum * 3);
        expect(requests).to.equal(2);
        // A page that cannot be cut is given whole.
        expect(items.length).to.be.within(maximum + 1, maximum * 2);
      });

      it(`${tool.name} ends where the list ends`, async () => {
        const paginate = neededPaginate(vendors, tool);
        const { size, next: way } = pagingOf(tool.provider, operation.id);
        const { items, next, requests } = await listed(vendors, one, paginate, size.maximum * 3, size.maximum * 2);
        expect(items).to.have.lengthOf(size.maximum * 2);
        // Where nothing in an answer says so, only an empty page shows that the full one before it was the last.
        expect(requests).to.equal(way.kind === 'page' && !way.hasLink ? 3 : 2);
        expect(next ?? null).to.equal(null);
      });
    }
  });
}

function isPaged({ parameters }: CatalogueTool): boolean {
  return parameters.some(({ name, in: place }) => place !== 'path' && leads.includes(name));
}

function neededPaginate({ toolkit }: Vendors, { name }: CatalogueTool): Paginate {
  const paginate = paginateOf(toolkit.kernel.registry.get(name));
  if (paginate === undefined) throw new Error(`The vendor gives the list of ${name} in pages, but the tool has no "paginate".`);
  return paginate;
}

/** The items of a list of `total`, of which `wanted` are wanted. Throws what is wrong with the requests or the output. */
async function listed(
  { toolkit, call }: Vendors,
  one: DescribedTool,
  paginate: Paginate,
  wanted: number,
  total: number,
): Promise<{ items: readonly JsonValue[]; next: JsonValue | undefined; requests: number }> {
  const found: string[] = [];
  const required = requiredCall(toolkit.kernel.registry.get(one.tool.name));
  const { output, error, requests } = await call(
    one.tool,
    { ...required, [paginate.limit]: wanted },
    pagedList(one, paginate.items, total, found),
  );
  const findings = new Findings();
  findings.add(`${wanted} of ${total}`, [...found, ...(error === undefined ? [] : [messageOf(error)])]);
  findings.expectNone();
  const items = memberAt(output, paginate.items === '' ? 'items' : paginate.items);
  if (!Array.isArray(items)) throw new Error(`The output of ${one.tool.name} has no list: ${JSON.stringify(output).slice(0, 200)}`);
  return { items, next: isPlainObject(output) ? (output['next'] as JsonValue | undefined) : undefined, requests: requests.length };
}
