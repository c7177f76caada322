import { expect } from 'chai';
import { toolkitWithSecrets } from './signing.ts';

describe('the examples of the crypto tools', () => {
  const names = [
    ...['crypto_hmac_sign', 'crypto_hmac_verify', 'crypto_uuid', 'crypto_random_string', 'crypto_jwt_decode', 'crypto_jwt_verify'],
    'crypto_hash',
  ];
  for (const name of names) {
    it(`run for ${name} and give what they promise`, async () => {
      const toolkit = await toolkitWithSecrets({ WEBHOOK_SECRET: 'webhook secret', JWT_SECRET: 'jwt secret' });
      const { examples = [] } = toolkit.kernel.registry.get(name).definition;
      expect(examples).to.not.have.length(0);
      for (const { parameters, output } of examples) {
        const given = await toolkit.execute(name, parameters);
        expect(given).to.be.an('object');
        if (output !== undefined) expect(given).to.deep.equal(output);
      }
    });
  }
});
