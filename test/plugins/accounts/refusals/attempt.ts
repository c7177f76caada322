import { expect } from 'chai';
import { type RefusalSite, type RefusalSiteOptions, refusalSite } from './refusal-site.ts';

/** Something that an attacker, or a hostile server, tries. */
export interface Attempt {
  readonly attempt: string;
  /** Words of the answer. */
  readonly says: string;
  readonly site?: RefusalSiteOptions;
  /** Number of accounts that are connected afterwards, by honest logins of the attempt. @default 0 */
  readonly leaves?: number;
  run(site: RefusalSite): Promise<void>;
}

/** Tries, and checks the words of the answers, the store and the log afterwards. */
export async function expectRefused({ says, leaves = 0, site: options = {}, run }: Attempt): Promise<void> {
  const site = await refusalSite(options);
  await run(site);
  const { answers, store, log, accounts } = site;
  const shown = answers.join('\n');
  expect(shown.includes(says), `expected "${says}" in: ${shown}`).to.equal(true);
  const grants = await accounts.grants.list();
  expect(
    grants.map(({ owner }) => owner),
    'connected accounts',
  ).to.have.length(leaves);
  expect(await store.list('connect/unconfirmed/'), 'logins that wait for a code').to.deep.equal([]);
  const places = { answer: shown, log: JSON.stringify(log), store: await store.text() };
  for (const secret of secretsOf(site)) for (const [place, text] of Object.entries(places)) expect(text, place).to.not.contain(secret);
}

/** Returns the codes, tokens, verifiers and client secrets that were made or sent. */
function secretsOf({ server, secrets }: RefusalSite): ReadonlySet<string> {
  const sent = server.requests.flatMap(({ parameters }) => [parameters['code_verifier'], parameters['refresh_token'], parameters['code']]);
  return new Set([...server.issued, ...secrets, ...sent].flatMap((text) => text || []));
}
