import type { ExecutionType } from './definition/link.ts';
import { ToolkitError } from './errors.ts';
import { hostAddresses } from './host-addresses.ts';
import type { OutboundAddresses, OutboundFetch } from './outbound.ts';
import type { ApprovalWord, Encoding, PluginApi } from './plugin.ts';

/** A plugin that opens connections takes what TLS needs out of the options; where nobody did, the request must not go without it. */
const plainFetch: OutboundFetch = async (input, init, options) => {
  if (options?.clientCertificate === undefined && options?.verifyCertificate !== false) return globalThis.fetch(input, init);
  const what = options.clientCertificate === undefined ? 'leaves the certificates of servers unchecked' : 'sends client certificates';
  throw new ToolkitError('EXECUTION_FAILED', `No plugin of this configuration ${what}. Add guardOutbound().`);
};

/** What plugins teach the kernel while they are applied: execution types, encodings, and what becomes of fetch. */
export class Extensions {
  readonly executionTypes = new Map<string, ExecutionType>();
  readonly encodings = new Map<string, Encoding>();
  fetch: OutboundFetch = plainFetch;
  addresses: OutboundAddresses = hostAddresses;
  readonly approvalWords = new Map<'word', ApprovalWord>();
  #sealed = false;

  /** After this nothing can be added. */
  seal(): void {
    this.#sealed = true;
  }

  /** `extend` as one plugin sees it. */
  of(plugin: string): PluginApi['extend'] {
    return {
      execution: (type, description) => this.#add(this.executionTypes, type, description, `the execution type "${type}"`, plugin),
      encoding: (name, encode) => this.#add(this.encodings, name, encode, `the encoding "${name}"`, plugin),
      fetch: (wrap) => {
        this.#refuseLate('a fetch wrapper', plugin);
        this.fetch = wrap(this.fetch);
      },
      addresses: (wrap) => {
        this.#refuseLate('an address wrapper', plugin);
        this.addresses = wrap(this.addresses);
      },
      approvalWord: (word) => this.#add(this.approvalWords, 'word', word, 'the word of approval', plugin),
    };
  }

  #add<K extends string, T>(map: Map<K, T>, name: K, value: T, what: string, plugin: string): void {
    this.#refuseLate(what, plugin);
    if (map.has(name))
      throw new ToolkitError('PLUGIN_INVALID', `Plugin "${plugin}" adds ${what}, which another plugin has added. Remove one of the two.`, {
        plugin,
      });
    map.set(name, value);
  }

  #refuseLate(what: string, plugin: string): void {
    if (this.#sealed)
      throw new ToolkitError('PLUGIN_INVALID', `Plugin "${plugin}" adds ${what} after apply(). Do it inside apply().`, { plugin });
  }
}
