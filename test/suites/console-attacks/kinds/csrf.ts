import type { Attack } from '../attack.ts';
import { csrfToken } from '../defences/csrf.ts';
import { post } from '../target.ts';

/** Requests that another page makes the operator's browser send. */
export const csrf: readonly Attack[] = [
  {
    kind: 'csrf',
    name: 'approves a call without the token of the session',
    request: 'POST /console/api/approvals/{id}/decide without x-toolkit-csrf, of a browser without Fetch Metadata',
    expected: 403,
    defence: csrfToken,
    async run(target) {
      const site = await target.site();
      const { cookie } = await target.logIn(site);
      const { id, digest } = await target.hold();
      const { status } = await post(site, `approvals/${id}/decide`, { cookie }, { approve: true, digest });
      return { succeeded: (await target.approval(id)).status === 'approved', seen: status };
    },
  },
];
