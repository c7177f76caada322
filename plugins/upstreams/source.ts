import type { Source } from '../../kernel/index.ts';
import type { AcceptedServers } from './accepted/accepted-servers.ts';
import type { Upstream } from './upstream.ts';

/**
 * Makes the source of a server. It lists what was accepted, at once; the answer of the server is listed when it is there, and the kernel withholds
 * what differs. Without an entry in the lock it offers nothing, unless `pin` says otherwise.
 */
export function serverSource(upstream: Upstream, accepted: AcceptedServers): Source {
  const { name, pin, url, oauth, startTimeoutMs } = upstream.settings;
  let readOnly: ReadonlySet<string> = new Set();
  return {
    // Only the first contact of `pin: first-use` and `pin: off` waits for the server.
    timeoutMs: startTimeoutMs,
    trust: pin === 'off' ? 'all' : 'review',
    urls: [url, oauth?.issuer].filter((address) => address !== undefined),
    async list({ sink, signal }) {
      const entry = pin === 'off' ? undefined : await accepted.read(name);
      readOnly = entry?.readOnly ?? new Set();
      if (entry === undefined && pin === 'lock') {
        const message = `offers nothing until a person has accepted it. See "toolkit upstream diff ${name}", then "toolkit upstream accept ${name}"`;
        sink.addProblem({ severity: 'warning', code: 'APPROVAL_REQUIRED', message });
        return;
      }
      const { listServer } = await import('./list-server.ts');
      const isFirst = !upstream.isListed;
      if (entry !== undefined && (isFirst || upstream.observed === undefined)) {
        if (!isFirst && upstream.failure !== undefined) {
          upstream.observeLater();
          throw upstream.failure;
        }
        listServer(sink, { upstream, lists: entry.lists, readOnly });
      } else {
        if (upstream.failure !== undefined && upstream.isListed) {
          upstream.observeLater();
          throw upstream.failure;
        }
        const lists = upstream.observed ?? (await untilAborted(upstream.observe(), signal));
        if (entry === undefined && pin === 'first-use') await accepted.writeFirst(name, lists);
        listServer(sink, { upstream, lists, readOnly, before: entry?.lists });
      }
      upstream.isListed = true;
    },
    async onAccept(changes) {
      if (pin === 'off') return;
      const { recordChanges } = await import('./accepted/record-changes.ts');
      await recordChanges(upstream, changes, { accepted, readOnly });
    },
    watch(changed) {
      upstream.onChange = (error) => changed(error);
      return () => {
        upstream.onChange = () => {};
      };
    },
  };
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([work, aborted]);
}
