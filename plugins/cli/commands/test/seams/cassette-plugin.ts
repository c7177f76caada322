import { apiVersion, definePlugin, type Plugin } from '../../../../../kernel/index.ts';
import type { Session } from '../cassette/session.ts';
import { askedOverHttp } from './http.ts';

/** Stage before every tap that might answer or read a call. */
const first = -10_000;

/**
 * Creates the plugin between the tools of a kernel and the outside world. Listed last, it is the outermost: in a replay no request reaches
 * the other plugins, and calls are approved because they have no effect.
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
