import { createHmac } from 'node:crypto';
import { coreGroup } from '../../../support/core-group.ts';
import { base64url, optionsWithSecrets } from '../../../tools/core/crypto/signing.ts';
import type { Way } from '../way.ts';

const secret = 'a shared secret, at least 32 bytes long';

function tokenOf(claims: string): string {
  const signed = `${base64url({ alg: 'HS256' })}.${base64url(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

type Payload = { readonly payload: { readonly id: unknown } };

/** The digits of a decimal number with an exponent, such as 1.5e+1. */
function digitsOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e\+(\d+))?$/.exec(text) ?? [];
  return `${sign}${whole}${fraction.padEnd(Number(exponent), '0')}`;
}

const toolkitOf = (...groups: readonly string[]) => coreGroup(...groups).sharedCoreToolkit;

export const ways: readonly Way[] = [
  {
    name: 'as a claim of a token that is decoded, and verified',
    async start() {
      const toolkit = await toolkitOf('crypto')(optionsWithSecrets({ JWT_SECRET: secret }));
      return {
        async carry(digits) {
          const token = tokenOf(`{"id":${digits}}`);
          const given = { token, algorithms: ['HS256'], secret_name: 'JWT_SECRET' };
          const decoded = (await toolkit.execute('crypto_jwt_decode', { token })) as unknown as Payload;
          const verified = (await toolkit.execute('crypto_jwt_verify', given)) as unknown as Payload;
          return [...new Set([decoded, verified].map(({ payload }) => String(payload.id)))].join(' and ');
        },
        stop: async () => {},
      };
    },
  },
  {
    name: 'as a literal and as a variable of math_evaluate',
    async start() {
      const toolkit = await toolkitOf('math')();
      return {
        async carry(digits) {
          const result = async (more: object): Promise<string> =>
            digitsOf(String(((await toolkit.execute('math_evaluate', { precision: 64, ...more })) as { readonly result: unknown }).result));
          const found = [await result({ expression: digits }), await result({ expression: 'n + 0', variables: { n: digits } })];
          return [...new Set(found)].join(' and ');
        },
        stop: async () => {},
      };
    },
  },
  {
    name: 'as a literal of math_evaluate without a precision',
    refuses: (digits) => !Number.isSafeInteger(Number(digits)),
    async start() {
      const toolkit = await toolkitOf('math')();
      return {
        carry: async (expression) =>
          String(((await toolkit.execute('math_evaluate', { expression })) as { readonly result: unknown }).result),
        stop: async () => {},
      };
    },
  },
];
