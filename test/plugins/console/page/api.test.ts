import { expect } from 'chai';
import { ApiError, createApi } from '../../../../plugins/console/page/api.ts';

describe('the API of the page', () => {
  it('shows hidden characters in the message of a refusal, which may quote the link that led here', async () => {
    const body = { error: { code: 'NOT_FOUND', message: 'There is no approval "a\u202eb".' } };
    const api = createApi({ fetch: async () => Response.json(body, { status: 404 }), csrf: '', onSignedOut() {} });
    const error = await api.get('approvals/a').catch((failure: unknown) => failure);
    expect(error).to.be.instanceOf(ApiError).and.include({ code: 'NOT_FOUND', status: 404, message: 'There is no approval "a\\u202eb".' });
  });
});
