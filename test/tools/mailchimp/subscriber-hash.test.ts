import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { json } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { mailchimpToolkit } from './mailchimp-toolkit.ts';

const md5 = (text: string): string => createHash('md5').update(Buffer.from(text, 'utf8')).digest('hex');

/** Addresses, and what Mailchimp hashes of them. */
const addresses = [
  { given: 'urist.mcvankab@freddiesjokes.com', hashed: 'urist.mcvankab@freddiesjokes.com' },
  { given: 'Urist.McVankab@FreddiesJokes.COM', hashed: 'urist.mcvankab@freddiesjokes.com' },
  { given: ' \turist.mcvankab@freddiesjokes.com\n', hashed: 'urist.mcvankab@freddiesjokes.com' },
  { given: 'ZOË.GRÖẞ@EXAMPLE.COM', hashed: 'zoë.größ@example.com' },
  { given: 'Žofie+News@Příklad.example', hashed: 'žofie+news@příklad.example' },
  { given: '用户@例子.广告', hashed: '用户@例子.广告' },
  { given: "o'neill/../x@example.com", hashed: "o'neill/../x@example.com" },
];

const asTheyAre = ['62eeb292278cc15f5817cb78f7790b08', '62EEB292278CC15F5817CB78F7790B08', '0a1b2c3d4e5f60718293a4b5c6d7e8f9'];

const calls = [
  { name: 'mailchimp_update_list_member', method: 'PATCH' },
  { name: 'mailchimp_remove_list_member', method: 'DELETE' },
];

/** The path of the member that a call names. */
async function pathOf(name: string, subscriber: string): Promise<string | undefined> {
  const { toolkit, requests } = await mailchimpToolkit(({ method }, response) =>
    method === 'DELETE' ? response.writeHead(204).end() : json(response, { id: 'x' }),
  );
  await toolkit.execute(name, { list_id: 'a1b2c3d4e5', subscriber_hash: subscriber });
  expect(requests).to.have.lengthOf(1);
  return requests[0]?.url;
}

describe('@toolkit/mailchimp: a member', () => {
  it('has the hash that Mailchimp documents', () => {
    expect(md5('urist.mcvankab@freddiesjokes.com')).to.equal('62eeb292278cc15f5817cb78f7790b08');
  });

  for (const { name, method } of calls) {
    for (const { given, hashed } of addresses) {
      it(`whom ${name} names ${JSON.stringify(given)} is the MD5 of ${hashed}`, async () => {
        expect(await pathOf(name, given)).to.equal(`/3.0/lists/a1b2c3d4e5/members/${md5(hashed)}`);
      });
    }

    for (const subscriber of asTheyAre) {
      it(`whom ${name} names ${subscriber} is sent with ${method} as it is`, async () => {
        expect(await pathOf(name, subscriber)).to.equal(`/3.0/lists/a1b2c3d4e5/members/${subscriber}`);
      });
    }

    for (const subscriber of ['..', '.', 'x/../../../campaigns']) {
      it(`whom ${name} names ${subscriber} leads nowhere else`, async () => {
        const { toolkit, requests } = await mailchimpToolkit((_, response) => json(response, { id: 'x' }));
        const parameters = { list_id: 'a1b2c3d4e5', subscriber_hash: subscriber };
        await rejection(toolkit.execute(name, parameters), 'INVALID_PARAMETERS');
        expect(requests).to.deep.equal([]);
      });
    }
  }

  it('keeps the address as it was written in the body', async () => {
    const { toolkit, requests } = await mailchimpToolkit((_, response) => json(response, { id: 'x' }));
    await toolkit.execute('mailchimp_add_list_member', { list_id: 'a1b2c3d4e5', email_address: 'Zoë@Example.com', status: 'pending' });
    expect(JSON.parse(requests[0]?.body ?? '')).to.deep.equal({ email_address: 'Zoë@Example.com', status: 'pending' });
  });

  it('is known to callers by address and id alone: no credential is in the schema', async () => {
    const { toolkit } = await mailchimpToolkit((_, response) => json(response, {}));
    const { inputSchema } = toolkit.kernel.registry.get('mailchimp_update_list_member');
    expect(inputSchema).to.have.nested.property('properties.subscriber_hash');
    expect(JSON.stringify(inputSchema)).to.not.include('MAILCHIMP_');
  });
});
