import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { json, loopback } from '../support/loopback.ts';
import { python } from '../support/python.ts';
import { runJob } from './run-job.ts';

interface Facts {
  readonly keySetUrl: string;
  readonly keySet: object;
  /** By what is the matter with it. */
  readonly tokens: Readonly<Record<string, string>>;
}

const audience = 'orders';
const issuer = 'https://issuer.example/';

/** The subject of each token that holds; null for the others. */
runJob<Readonly<Record<string, string | null>>, Facts>({
  number: 16,
  title: 'tokens against a key set',
  async prepare(_folder, random) {
    const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
    const own = pair();
    const keySet = { keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] };
    const { url } = await loopback((_request, response) => json(response, keySet));
    const now = Math.floor(Date.now() / 1000);
    const claims = { sub: `person-${random.below(1e6)}`, iss: issuer, aud: audience, iat: now, exp: now + 3600 };
    const good = signed(claims, own.privateKey);
    const [header = '', , signature = ''] = good.split('.');
    const unsigned = `${part({ alg: 'none' })}.${part(claims)}.`;
    // Signed by the text of the public key, which everybody has.
    const shared = `${part({ alg: 'HS256', kid: 'one' })}.${part(claims)}`;
    const secret = own.publicKey.export({ format: 'pem', type: 'spki' });
    return {
      keySetUrl: `${url}/keys.json`,
      keySet,
      tokens: {
        good,
        expired: signed({ ...claims, exp: now - 600 }, own.privateKey),
        forAnother: signed({ ...claims, aud: 'billing' }, own.privateKey),
        changed: `${header}.${part({ ...claims, sub: 'admin' })}.${signature}`,
        foreignKey: signed(claims, pair().privateKey),
        unsigned,
        confused: `${shared}.${createHmac('sha256', secret).update(shared).digest('base64url')}`,
      },
    };
  },
  server: () => ({ configuration: 'plugins:\n  - [toolkit/standard, { autoDiscover: true, allowHosts: [127.0.0.1] }]\n' }),
  async steps(client, { keySetUrl, tokens }) {
    const verify = await client.tool('crypto_jwt_verify', 'check the signature of a JWT with a JWKS');
    const found: Record<string, string | null> = {};
    for (const [name, token] of Object.entries(tokens)) {
      const given = { token, algorithms: ['RS256'], jwks_url: keySetUrl, issuer, audience };
      const { valid, payload } = await verify.call<{ valid: boolean; payload: { sub: string } | null }>(given);
      found[name] = valid ? (payload?.sub ?? '') : null;
    }
    return found;
  },
  // RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, 8.2.2): the signature to the power of e is the padded hash.
  expected: (_folder, { keySet, tokens }) =>
    python(
      [
        'import base64, hashlib, time',
        'raw = lambda text: base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))',
        'number = lambda text: int.from_bytes(raw(text), "big")',
        'key = given["keySet"]["keys"][0]',
        'n, e = number(key["n"]), number(key["e"])',
        'size = (n.bit_length() + 7) // 8',
        'def subject(token):',
        '    head, body, signature = token.split(".")',
        '    if json.loads(raw(head)).get("alg") != "RS256": return None',
        '    hash = bytes.fromhex("3031300d060960864801650304020105000420") + hashlib.sha256((head + "." + body).encode()).digest()',
        '    if pow(number(signature), e, n).to_bytes(size, "big") != b"\\0\\1" + b"\\xff" * (size - len(hash) - 3) + b"\\0" + hash: return None',
        '    claims = json.loads(raw(body))',
        '    fits = claims["exp"] > time.time() and claims["aud"] == given["audience"] and claims["iss"] == given["issuer"]',
        '    return claims["sub"] if fits else None',
        'result = {name: subject(token) for name, token in given["tokens"].items()}',
      ].join('\n'),
      { keySet, tokens, audience, issuer },
    ),
});

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function signed(claims: object, key: KeyObject): string {
  const start = `${part({ alg: 'RS256', kid: 'one' })}.${part(claims)}`;
  return `${start}.${createSign('sha256').update(start).sign(key, 'base64url')}`;
}
