import { type DefinitionContext, didYouMean, type Issue, placeholdersIn } from '../../../kernel/index.ts';
import { isNumber } from '../paginate/pages.ts';
import { contentsOf, encodingsOf, type HttpExecution } from './execution.ts';
import type { Paginate } from './paginate.ts';

/** A parameter that `paginate` names. */
interface NamedParameter {
  readonly key: string;
  readonly name: string;
  readonly isNumeric: boolean;
}

/**
 * Returns issues that the schema of `paginate` cannot find: parameters that are not declared, that callers cannot give, or
 * that the request does not send.
 */
export function checkPaginate(paginate: Paginate, http: HttpExecution, { parameters, credentials }: DefinitionContext): readonly Issue[] {
  const issues: Issue[] = [];
  const report = (key: string, message: string) =>
    issues.push({ path: `paginate${key.replaceAll('/', '.')}`, pointer: `/paginate${key}`, message });
  const sent = new Set([...placeholdersIn(http), ...encodingsOf(http).flatMap(({ source }) => source)]);
  const limit = { key: '/limit', name: paginate.limit, isNumeric: true };
  const others = sentParameters(paginate);
  for (const { key, name, isNumeric } of [limit, ...others]) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (parameter === undefined) report(key, `names "${name}", which is no parameter.${didYouMean(name, Object.keys(parameters))}`);
    else if (credentials.some((credential) => credential.name === name))
      report(key, `names "${name}", which callers cannot give, because it is taken for a credential. Say "auth: false" on the parameter`);
    else if (isNumeric && !isNumber(parameter)) report(key, `names "${name}", which is not declared as an integer`);
  }
  if (sent.has(limit.name))
    report('/limit', `names "${limit.name}", which the request sends. Declare a parameter of its own for how many items are wanted in all`);
  for (const { key, name } of others) {
    if (Object.hasOwn(parameters, name) && !sent.has(name))
      report(key, `names "${name}", which the request does not send, so that every page would be the first one`);
    // A URL may contain the page size as well.
    const isShared = paginate.next.url !== undefined && name === paginate.size?.parameter;
    if (!isShared && others.some((other) => other.name === name && other.key !== key)) report(key, `names "${name}", as another key does`);
  }
  const pathIntoObject = paginate.next.cursor?.path ?? paginate.next.url?.path ?? paginate.next.offset?.total_path;
  if (paginate.items === '' && pathIntoObject !== undefined)
    report('/items', `says that the answer is a list, which has nothing at "${pathIntoObject}"`);
  const methodIssue = findMethodIssue(http, others);
  if (methodIssue !== undefined) report('', methodIssue);
  return issues;
}

function sentParameters({ size, next }: Paginate): readonly NamedParameter[] {
  const { cursor, page, link, offset, url } = next;
  const optional = (key: string, name: string | undefined, isNumeric: boolean): NamedParameter[] =>
    name === undefined ? [] : [{ key, name, isNumeric }];
  return [
    ...optional('/size/parameter', size?.parameter, true),
    ...optional('/next/cursor/parameter', cursor?.parameter, false),
    ...optional('/next/page/parameter', page?.parameter, true),
    ...optional('/next/link/parameter', link?.parameter, false),
    ...optional('/next/offset/parameter', offset?.parameter, true),
    ...Object.entries(url?.parameters ?? {}).flatMap(([query, name]) =>
      optional(`/next/url/parameters/${query.replaceAll('~', '~0').replaceAll('/', '~1')}`, name, false),
    ),
  ];
}

/**
 * Returns the issue of a method that does not only read. Several requests are allowed with GET, and with POST where the parameter of the next
 * page is in the body of a query: with `body_types`, in the body of each type.
 */
function findMethodIssue(http: HttpExecution, others: readonly NamedParameter[]): string | undefined {
  const { method } = http;
  if (method === 'get') return undefined;
  const next = others.filter(({ key }) => key.startsWith('/next/')).map(({ name }) => name);
  const isQuery = contentsOf(http).every(({ body, form }) => placeholdersIn([body, form]).some((name) => next.includes(name)));
  if (method === 'post' && isQuery) return undefined;
  const where = http.body_types === undefined ? 'in the body' : 'in the body of each type';
  return `sends several requests, which the method "${method}" does not allow. Expected "get", or "post" with the parameter of the next page ${where}`;
}
