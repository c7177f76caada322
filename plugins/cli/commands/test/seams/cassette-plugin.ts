import { apiVersion, definePlugin, type Plugin } from '../../../../../kernel/index.ts';
import type { Session } from '../cassette/session.ts';
import { httpRequest } from './http.ts';

/** Stage before every tap that might answer or read a call. */
const firstStage = -10_000;

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
            session.exchange(await httpRequest(next, ...given)),
      );
      extend.addresses(
        (next) => (host, port, options) =>
          session.exchange({
            kind: 'addresses',
            request: { host, port },
            send: () => next(host, port, options),
            toRecorded: async (answer) => ({ answer, response: answer }),
            fromRecorded: (response) => response as Awaited<ReturnType<typeof next>>,
          }),
      );
      hooks.execute.for('*').tap({ name: 'cassette', stage: firstStage }, (call, context) => {
        session.trackCall(call, context);
        return session.recordedOutput;
      });
      if (session.isLive) return;
      hooks.resolveSecrets.tap({ name: 'cassette', stage: firstStage }, (sink) => {
        for (const name of sink.missing) sink.provide(name, session.secretOf(name));
      });
      hooks.approve.tap({ name: 'cassette', stage: firstStage }, () => ({ approved: true, by: 'toolkit test' }));
    },
  });
  return create();
}
