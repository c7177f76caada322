import { expect } from 'chai';
import sinon from 'sinon';
import { ToolkitError } from '../../../../kernel/index.ts';
import { MemoryStore } from '../../../../kernel/state/memory-store.ts';
import type { Grants } from '../../../../plugins/accounts/grants/grant.ts';
import type { OpenGrantsOptions } from '../../../../plugins/accounts/grants/open-grants.ts';
import { rejection } from '../../../support/rejection.ts';
import { sharedState } from '../../../support/shared-state.ts';
import { storeAlone } from '../../../support/store-alone.ts';
import { until } from '../../../support/until.ts';
import {
  ada,
  grantsFolder,
  hourMs,
  keys,
  newGrant,
  type OpenedGrants,
  oauthError,
  open,
  RotatingProvider,
  signal,
} from './grant-samples.ts';

/** Processes that share a folder, and a provider. */
interface Setting {
  readonly provider: RotatingProvider;
  now: number;
  process(options?: Partial<OpenGrantsOptions>): OpenedGrants;
}

async function setting(): Promise<Setting> {
  const folder = await grantsFolder();
  const provider = new RotatingProvider();
  const made: Setting = {
    provider,
    now: 0,
    process: (options) => open({ folder, refresh: provider.refresh, now: () => made.now, ...options }),
  };
  return made;
}

const marginMs = 60_000;
/** A call's live grant. Each call has a signal of its own. */
const live = (grants: Grants, refused?: string): ReturnType<Grants['live']> =>
  grants.live(ada, { marginMs, signal: new AbortController().signal, ...(refused === undefined ? {} : { refused }) });

describe('a live grant', () => {
  for (const { title, lifetimeMs, afterMs, margin = marginMs, refreshes } of [
    { title: 'before its margin', lifetimeMs: hourMs, afterMs: hourMs - 60_000, refreshes: 0 },
    { title: 'within its margin', lifetimeMs: hourMs, afterMs: hourMs - 59_999, refreshes: 1 },
    { title: 'after its end', lifetimeMs: hourMs, afterMs: hourMs, refreshes: 1 },
    { title: 'before half of its life, whatever the margin', lifetimeMs: 5000, afterMs: 2500, margin: hourMs, refreshes: 0 },
    { title: 'after half of its life, for a large margin', lifetimeMs: 5000, afterMs: 2501, margin: hourMs, refreshes: 1 },
    { title: 'without a known life', lifetimeMs: undefined, afterMs: 1000 * hourMs, refreshes: 0 },
  ])
    it(`is refreshed ${refreshes} times ${title}`, async () => {
      const made = await setting();
      const { grants } = made.process();
      const { tokens, ...given } = newGrant();
      const { lifetimeMs: _, ...rest } = tokens;
      await grants.save({ ...given, tokens: lifetimeMs === undefined ? rest : { ...rest, lifetimeMs } });
      made.now = afterMs;
      made.provider.now = afterMs;
      const grant = await grants.live(ada, { marginMs: margin, signal });
      expect(made.provider.sent).to.have.length(refreshes);
      expect(grant?.version).to.equal(1 + refreshes);
    });

  it('is undefined without a login', async () => {
    const { grants } = (await setting()).process();
    expect(await live(grants)).to.equal(undefined);
  });

  it('is refreshed when the service has refused its token, and not for an earlier one', async () => {
    const made = await setting();
    const { grants } = made.process();
    await grants.save(newGrant());
    const renewed = await live(grants, 'access-1');
    expect(renewed?.tokens.accessToken).not.to.equal('access-1');
    expect((await live(grants, 'access-1'))?.tokens).to.deep.equal(renewed?.tokens);
    expect(made.provider.sent).to.deep.equal(['refresh-1']);
  });

  it('is refreshed once for many calls of several processes, which get the same token', async () => {
    const made = await setting();
    const processes = [1, 2, 3].map(() => made.process().grants);
    await processes[0]?.save(newGrant());
    made.now = hourMs;
    made.provider.now = hourMs;
    const calls = processes.flatMap((grants) => Array.from({ length: 20 }, () => live(grants)));
    const tokens = new Set((await Promise.all(calls)).map((grant) => grant?.tokens.accessToken));
    expect(tokens.size).to.equal(1);
    expect(made.provider.sent).to.deep.equal(['refresh-1']);
  });

  it('is written with its rotated refresh token before it is returned', async () => {
    const made = await setting();
    const { grants } = made.process();
    await grants.save(newGrant());
    made.now = hourMs;
    const renewed = await live(grants);
    expect(await made.process().grants.find(ada)).to.deep.equal(renewed);
  });

  it('goes on for the others when one call is aborted', async () => {
    const made = await setting();
    let answer = (): void => {};
    made.provider.before = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const { grants } = made.process();
    await grants.save(newGrant());
    const aborter = new AbortController();
    const aborted = grants.live(ada, { marginMs, refused: 'access-1', signal: aborter.signal }).catch((error: unknown) => error);
    const other = live(grants, 'access-1');
    await until(() => made.provider.sent[0]);
    aborter.abort(new Error('the caller has left'));
    expect(await aborted).to.have.property('message', 'the caller has left');
    answer();
    expect((await other)?.version).to.equal(2);
  });

  it('is retryable while a living process refreshes it for too long', async () => {
    const made = await setting();
    let answer = (): void => {};
    made.provider.before = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const [one, other] = [made.process(), made.process({ leaseMs: 30 })];
    await one.grants.save(newGrant());
    const first = live(one.grants, 'access-1');
    await until(() => made.provider.sent[0]);
    const error = await rejection(live(other.grants, 'access-1'), 'AUTH_REQUIRED');
    expect(error.details).to.include({ retryable: true, provider: 'gmail', account: 'default' });
    answer();
    await first;
    expect((await live(other.grants, 'access-1'))?.version).to.equal(2);
    expect(made.provider.sent).to.have.length(1);
  });

  it('waits for the running refresh when it is deleted, so that the last token can be revoked', async () => {
    const made = await setting();
    let answer = (): void => {};
    made.provider.before = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const [one, other] = [made.process(), made.process()];
    await one.grants.save(newGrant());
    const first = live(one.grants, 'access-1');
    await until(() => made.provider.sent[0]);
    const deleted = other.grants.delete(ada);
    answer();
    expect((await deleted)?.tokens).to.deep.equal((await first)?.tokens);
    expect(await one.grants.find(ada)).to.equal(undefined);
  });

  it('keeps a login that ends while an earlier grant is refreshed', async () => {
    const made = await setting();
    const { grants } = made.process();
    await grants.save(newGrant());
    made.provider.after = async () => void (await grants.save(newGrant(ada, { accessToken: 'of the login', refreshToken: 'new' })));
    expect((await live(grants, 'access-1'))?.tokens.accessToken).to.equal('of the login');
    expect((await grants.find(ada))?.tokens.refreshToken).to.equal('new');
  });
});

describe('a refresh that the provider refuses', () => {
  it('needs a new login, whose reason one call of all processes is told', async () => {
    const made = await setting();
    const processes = [made.process(), made.process()];
    await processes[0]?.grants.save(newGrant());
    made.provider.revoke();
    made.now = hourMs;
    const calls = processes.flatMap(({ grants }) => [1, 2, 3].map(() => rejection(live(grants), 'AUTH_REQUIRED')));
    const messages = (await Promise.all(calls)).map(({ message }) => message);
    expect(messages.filter((message) => message.includes('no longer accepts its refresh token'))).to.have.length(1);
    expect(messages.filter((message) => message.endsWith('needs a new login. Log in again.'))).to.have.length(5);
    expect(made.provider.sent).to.have.length(1);
    expect((await processes[1]?.grants.find(ada))?.needsLogin).to.deep.equal({ since: hourMs, reason: 'refused' });
  });

  it('works again after a login', async () => {
    const made = await setting();
    const { grants } = made.process();
    await grants.save(newGrant());
    made.provider.revoke();
    await rejection(live(grants, 'access-1'), 'AUTH_REQUIRED');
    await grants.save(newGrant(ada, { accessToken: 'access-2' }));
    expect((await live(grants))?.tokens.accessToken).to.equal('access-2');
  });

  it('does not count once the stored grant is another one', async () => {
    const made = await setting();
    const { grants } = made.process();
    await grants.save(newGrant());
    made.provider.revoke();
    made.provider.before = async () => void (await grants.save(newGrant(ada, { accessToken: 'of the login' })));
    expect((await live(grants, 'access-1'))?.tokens.accessToken).to.equal('of the login');
    expect(await grants.find(ada)).not.to.have.property('needsLogin');
  });

  it('marks nothing when the client is refused', async () => {
    const made = await setting();
    const { grants } = made.process({ refresh: () => Promise.reject(oauthError('refused', 'invalid_client')) });
    const saved = await grants.save(newGrant());
    await rejection(live(grants, 'access-1'), 'AUTH_FAILED');
    expect(await grants.find(ada)).to.deep.equal(saved);
  });

  it('asks for a login, and marks nothing, where there is no refresh token', async () => {
    const made = await setting();
    const { grants } = made.process({ refresh: () => Promise.reject(oauthError('refused', 'invalid_grant')) });
    const { refreshToken: _, ...tokens } = newGrant().tokens;
    const saved = await grants.save({ ...newGrant(), tokens });
    const error = await rejection(live(grants, 'access-1'), 'AUTH_REQUIRED');
    expect(error.message).to.include('the provider gave no refresh token');
    expect(await grants.find(ada)).to.deep.equal(saved);
    made.now = hourMs - 1;
    expect(await live(grants)).to.deep.equal(saved);
  });
});

describe('a refresh that was not sent', () => {
  it('fails as retryable and marks nothing', async () => {
    const made = await setting();
    const { grants } = made.process({ refresh: () => Promise.reject(oauthError('unsent')) });
    const saved = await grants.save(newGrant());
    expect((await rejection(live(grants, 'access-1'), 'UPSTREAM_UNAVAILABLE')).retryable).to.equal(true);
    expect(await grants.find(ada)).to.deep.equal(saved);
    const other = made.process();
    expect((await live(other.grants, 'access-1'))?.version).to.equal(2);
  });

  it('leaves the access token in use while that lives, and is not tried for each call', async () => {
    const made = await setting();
    let tries = 0;
    const { grants, warnings } = made.process({
      refresh: () => {
        tries++;
        return Promise.reject(oauthError('unsent'));
      },
    });
    await grants.save(newGrant());
    made.now = hourMs - 1;
    for (let call = 0; call < 5; call++) expect((await live(grants))?.tokens.accessToken).to.equal('access-1');
    expect(tries).to.equal(1);
    expect(warnings).to.have.length(1);
    made.now = hourMs;
    await rejection(live(grants), 'UPSTREAM_UNAVAILABLE');
  });
});

describe('a refresh without an answer', () => {
  it('is sent once more with the same refresh token, for a provider that did not act', async () => {
    const made = await setting();
    made.provider.before = () => {
      if (made.provider.sent.length === 1) throw oauthError('unanswered');
    };
    const { grants } = made.process();
    await grants.save(newGrant());
    expect((await live(grants, 'access-1'))?.version).to.equal(2);
    expect(made.provider.sent).to.deep.equal(['refresh-1', 'refresh-1']);
  });

  it('needs a new login when the provider has rotated, told once as lost', async () => {
    const made = await setting();
    made.provider.after = () => {
      throw oauthError('unanswered');
    };
    const { grants } = made.process();
    await grants.save(newGrant());
    const first = await rejection(live(grants, 'access-1'), 'AUTH_REQUIRED');
    expect(first.message).to.include('the answer to its last refresh was lost');
    expect(first.details).to.include({ needsLogin: 'lost' });
    expect((await rejection(live(grants), 'AUTH_REQUIRED')).message).not.to.include('was lost');
    expect(made.provider.sent).to.have.length(2);
  });

  it('is told as lost when a later call finds the rotation', async () => {
    const made = await setting();
    made.provider.after = () => {
      made.provider.before = () => {
        throw oauthError('unanswered');
      };
      throw oauthError('unanswered');
    };
    const { grants } = made.process();
    await grants.save(newGrant());
    await rejection(live(grants, 'access-1'), 'UPSTREAM_UNAVAILABLE');
    made.provider.before = () => {};
    expect((await rejection(live(made.process().grants, 'access-1'), 'AUTH_REQUIRED')).details).to.include({ needsLogin: 'lost' });
  });
});

describe('the answer to a refresh', () => {
  it('is written though another process took this one for dead and marked the grant as lost', async () => {
    const { provider } = await setting();
    const [folder, store] = [await grantsFolder(), await sharedState()];
    const [one, other] = [
      open({ folder, state: store.open(), refresh: provider.refresh }),
      open({ folder, state: storeAlone(store.open()), refresh: provider.refresh }),
    ];
    await one.grants.save(newGrant());
    let answer = (): void => {};
    provider.after = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const first = live(one.grants, 'access-1');
    await until(() => provider.sent[0]);
    expect((await rejection(live(other.grants, 'access-1'), 'AUTH_REQUIRED')).details).to.include({ needsLogin: 'lost' });
    answer();
    expect((await first)?.version).to.equal(3);
    expect(await other.grants.find(ada)).to.deep.equal(await first);
  });

  for (const { title, isApplied } of [
    { title: 'once the store can be reached again', isApplied: false },
    { title: 'once, when the store answers late that it has it', isApplied: true },
  ])
    it(`is written ${title}`, async () => {
      const { provider } = await setting();
      const state = new MemoryStore(Date.now);
      const { grants } = open({ folder: '/nowhere', state, keys: { ...keys, isPersistent: false }, refresh: provider.refresh });
      await grants.save(newGrant());
      const write = state.compareAndSet.bind(state);
      provider.after = () => {
        sinon.stub(state, 'compareAndSet').callsFake(async (...given) => {
          sinon.restore();
          if (isApplied) await write(...given);
          throw new ToolkitError('STATE_UNAVAILABLE', 'The store is away.');
        });
      };
      const renewed = await live(grants, 'access-1');
      expect(renewed?.version).to.equal(2);
      expect(await grants.find(ada)).to.deep.equal(renewed);
      expect(provider.sent).to.have.length(1);
    });
});
