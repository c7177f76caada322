import { errorCodes, type Message, type RequestId, type Wire } from '../../../../../shared/json-rpc/message.ts';
import { addSetting } from './client-settings.ts';
import type { SharedSession } from './shared-session.ts';

/** Returns the wire to a client whose session other processes have too. The response to a setting waits until the setting is stored for all. */
export function sharedWire(shared: SharedSession, wire: Wire): Wire {
  const { pending } = shared.settings;
  return {
    send(message: Message, request?: RequestId) {
      const setting = request === undefined || 'method' in message ? undefined : pending.get(request);
      if (setting === undefined) {
        wire.send(shared.outgoing(message), request);
        return;
      }
      pending.delete(setting.id);
      if (!('result' in message)) {
        wire.send(message, request);
        return;
      }
      addSetting(shared.settings, setting);
      shared.storeSetting(setting).then(
        () => wire.send(message, request),
        () => wire.send({ jsonrpc: '2.0', id: setting.id, error: notStoredError }, request),
      );
    },
  };
}

/** Error for a setting that cannot be stored for other processes. */
const notStoredError = {
  code: errorCodes.internal,
  message: 'The setting was not stored, because the store cannot be reached. Try again later.',
};
