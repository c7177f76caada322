import { apiVersion, definePlugin, type Plugin } from '../../../../../kernel/index.ts';
import type { Session } from '../cassette/session.ts';
import { askedOverHttp } from './http.ts';

/** Before everything that might answer or look at a call. */
const first = -10_000;

/**
 * Stands between the tools of a kernel and the world outside. Listed last, it is the outermost: in a replay nothing is asked of the plugins
 * within, and no approval is needed, because nothing happens.
 */
export function cassettePlugin(session: Session): Plugin {
  const create = definePlugin({
    name: 'cassette',
    apiVersion,
    apply({ hooks, extend }) {
      extend.fetch(
        (next) =>
          async (...given) =>
            session.exchange(await askedOverHttp(next, ...given)),
      );
      extend.addresses(
        (next) => (host, port, options) =>
          session.exchange({
            kind: 'addresses',
            request: { host, port },
            live: () => next(host, port, options),
            written: async (answer) => ({ answer, response: answer }),
            given: (response) => response as Awaited<ReturnType<typeof next>>,
          }),
      );
      hooks.execute.for('*').tap({ name: 'cassette', stage: first }, (call, context) => {
        session.runs(call, context);
        return session.keptOutput;
      });
      if (session.isLive) return;
      hooks.resolveSecrets.tap({ name: 'cassette', stage: first }, (sink) => {
        for (const name of sink.missing) sink.provide(name, session.secretOf(name));
      });
      hooks.approve.tap({ name: 'cassette', stage: first }, () => ({ approved: true, by: 'toolkit test' }));
    },
  });
  return create();
}
