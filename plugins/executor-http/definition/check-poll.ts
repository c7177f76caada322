import { type DefinitionContext, didYouMean, type Issue, parseUrl, placeholdersIn } from '../../../kernel/index.ts';
import type { HttpExecution } from './execution.ts';
import { type AnswerUrl, type Poll, pendingStatuses } from './poll.ts';

/** Limit of a call without `execution.timeout_ms`, unless the configuration says otherwise. */
const usualTimeoutMs = 60_000;

/** Returns issues that the schema of `poll` cannot find. */
export function checkPoll(poll: Poll, http: HttpExecution, context: DefinitionContext): readonly Issue[] {
  const { definition, execution } = context;
  const issues: Issue[] = [];
  const report = (key: string, message: string) =>
    issues.push({ path: `poll${key.replaceAll('/', '.')}`, pointer: `/poll${key}`, message });
  for (const [key, url] of [['/url', poll.url] as const, ['/result/url', poll.result?.url] as const])
    if (url !== undefined) for (const [member, message] of urlIssues(url, http, context)) report(`${key}${member}`, message);
  const ofContent = '"path" with "equals" or "one_of"';
  const conditions = [['until', poll.until, `"status", or ${ofContent}`] as const, ['failed', poll.failed, ofContent] as const];
  for (const [key, condition, expected] of conditions) {
    const message = condition === undefined ? undefined : conditionIssue(condition, expected);
    if (message !== undefined) report(`/${key}`, message);
  }
  const pending = pendingStatuses(poll);
  const both = [poll.until?.status ?? []].flat().find((status) => pending.includes(status));
  if (both !== undefined) report('/until/status', `names ${both}, which "status" says has no result. Keep one of the two`);
  for (const [index, origin] of (poll.origins ?? []).entries())
    if (parseUrl(origin)?.origin !== origin)
      report(`/origins/${index}`, `expected an origin such as "https://files.shop.example", received "${origin}"`);
  if ('paginate' in definition) report('', 'cannot stand beside "paginate": each page would be waited for. Remove one of the two');
  const dependsOnContent = poll.until?.path !== undefined || poll.failed !== undefined;
  if ('save_to' in definition && dependsOnContent && poll.result?.url === undefined)
    report(
      '',
      'cannot stand beside "save_to" here: an answer is saved before its content is read. Say "result: { url }", or only "until: { status }"',
    );
  const { timeout_ms: timeoutMs } = execution;
  const { max_ms: maxMs } = poll;
  if (maxMs !== undefined && maxMs >= (timeoutMs ?? usualTimeoutMs)) {
    const limit = timeoutMs === undefined ? `${usualTimeoutMs}, the usual limit of a call` : `"execution.timeout_ms", ${timeoutMs}`;
    report(
      '/max_ms',
      `is not less than ${limit}, which would end the call first, without the last answer. Set "execution.timeout_ms" to more`,
    );
  }
  return issues;
}

/** Returns the issues of a URL, each with its key. */
function* urlIssues(url: AnswerUrl, http: HttpExecution, { parameters, credentials }: DefinitionContext): Generator<[string, string]> {
  const { template, answer } = url;
  const written = [url.header, url.path, template].filter((one) => one !== undefined);
  if (written.length !== 1)
    yield ['', `has ${written.length === 0 ? 'none' : 'several'} of "header", "path" and "template". Expected one of them`];
  if (template === undefined) {
    if (answer !== undefined) yield ['/answer', 'has the placeholders of a "template", which is missing. Write one, or remove "answer"'];
    return;
  }
  if (!/^(\/|https?:\/\/)/.test(template)) yield ['/template', `expected a URL, or a path that begins with "/", received "${template}"`];
  const ofAnswer = Object.keys(answer ?? {});
  const known = [...new Set([...ofAnswer, ...Object.keys(parameters), ...placeholdersIn(http)])];
  const used = placeholdersIn(template);
  for (const name of used) {
    if (!known.includes(name))
      yield ['/template', `uses the placeholder {${name}}, which neither a parameter nor "answer" defines.${didYouMean(name, known)}`];
    else if (credentials.some((need) => need.name === name && need.isSecret) && !ofAnswer.includes(name))
      yield ['/template', `puts the credential {${name}} into a URL. It is sent as in the first request: remove it`];
  }
  for (const name of ofAnswer.filter((one) => !used.includes(one))) yield [`/answer/${name}`, `is not used: "template" has no {${name}}`];
}

/** Returns the issue of a condition without exactly one way to hold; undefined where there is none. */
function conditionIssue(condition: NonNullable<Poll['until'] | Poll['failed']>, expected: string): string | undefined {
  const keys = ['status', 'equals', 'one_of'].filter((key) => Object.hasOwn(condition, key));
  if (keys.length !== 1)
    return `has ${keys.length === 0 ? 'no condition' : `several conditions (${keys.join(', ')})`}. Expected ${expected}`;
  const isOfStatus = keys[0] === 'status';
  if (isOfStatus && condition.path !== undefined) return `has "path" beside "status". Expected ${expected}`;
  return isOfStatus || condition.path !== undefined ? undefined : `has no "path". Expected ${expected}`;
}
