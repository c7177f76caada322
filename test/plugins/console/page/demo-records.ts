import type { ApprovalDetails } from '../../../../kernel/index.ts';
import { madeRecord } from './page-world.ts';

/** Records such as an office would have, with everything that the details can show. */
export function demoRecords(): readonly ApprovalDetails[] {
  const now = Date.now();
  return [
    madeRecord(1, {
      tool: 'gmail_send_message',
      risk: 'high',
      caller: 'assistant of Ann',
      count: 2,
      reasons: [
        { kind: 'gate', message: 'the definition of the tool requires approval' },
        { kind: 'rule', message: 'mail to an address outside of example.com' },
      ],
      shown: {
        description: 'Sends a message from the connected Gmail account.',
        provider: 'gmail',
        parameters: {
          to: 'procurement@supplier.example',
          subject: 'Order 4711: new delivery date',
          body: 'Good morning,\n\nplease deliver order 4711 on Thursday instead of Tuesday. The gate at Hall 3 is open from 7 to 15 h.\n\nKind regards\nAnn Weber',
          attachments: [{ name: 'order-4711.pdf', bytes: 48213 }],
          urgent: false,
        },
        identity: { destination: { shown: 'POST https://gmail.googleapis.com/gmail/v1/users/me/messages/send' } },
      },
      preview: { tool: 'gmail_read_draft', output: { to: 'procurement@supplier.example', size: 51200, spam_score: 0.1 } },
      sinceLast: {
        id: 'ap-0900',
        at: now - 86_400_000 * 3,
        changes: [
          { path: 'subject', from: 'Order 4698: delivery', to: 'Order 4711: new delivery date' },
          {
            path: 'body',
            from: 'Good morning,\n\nthank you for order 4698.\n\nKind regards\nAnn Weber',
            to: 'Good morning,\n\nplease deliver order 4711 on Thursday instead of Tuesday. The gate at Hall 3 is open from 7 to 15 h.\n\nKind regards\nAnn Weber',
          },
        ],
      },
      always:
        'rules:\n  - tool: gmail_send_message\n    caller: assistant of Ann\n    when:\n      to: procurement@supplier.example\n    effect: allow\n',
    }),
    madeRecord(2, {
      tool: 'git_push',
      risk: 'high',
      caller: 'ci-agent',
      expiresAt: now + 42_000,
      shown: {
        description: 'Pushes commits of a branch to a remote.',
        parameters: { remote: 'origin', branch: 'release/2.4', force: true },
        identity: {
          destination: { shown: 'ssh://git@git.example.com/shop/web.git' },
          content: { shown: '3 commits: 9f2c1ab Raise the limit, 77ab01e Correct the label, 1c0ffee Remove the banner' },
          program: { shown: '/usr/bin/git' },
          folder: { shown: '/srv/checkout/web' },
        },
      },
    }),
    madeRecord(3, {
      tool: 'files_delete',
      risk: 'high',
      caller: 'assistant of Ben',
      shown: {
        description: 'Deletes files.',
        parameters: { paths: ['reports/2024-q1.pdf', 'reports/in\u202evoice.pdf'] },
        identity: { files: { a: { shown: 'reports/2024-q1.pdf' }, b: { shown: 'reports/in\u202evoice.pdf' } } },
      },
    }),
    madeRecord(4, {
      tool: 'hubspot_update_contact',
      caller: 'sales-bot',
      approvers: 2,
      decisions: [{ approve: true, by: { way: 'webhook', name: 'ann' }, at: now - 30_000, reason: 'checked with Ben' }],
      shown: {
        description: 'Changes properties of a contact.',
        provider: 'hubspot',
        parameters: { contact_id: '8812', properties: { phone: '+49 30 901820' } },
        identity: { destination: { shown: 'PATCH https://api.hubapi.com/crm/v3/objects/contacts/8812' } },
      },
    }),
    madeRecord(5, {
      tool: 'slack_post_message',
      caller: 'assistant of Ann',
      isKept: false,
      shown: {
        description: 'Posts to a channel.',
        provider: 'slack',
        parameters: { channel: '#deliveries', text: 'Order 4711 comes on Thursday.' },
        identity: {},
      },
    }),
    madeRecord(6, {
      tool: 'postgres_execute',
      risk: 'high',
      caller: 'data-agent',
      shown: {
        description: 'Runs a statement.',
        provider: 'postgres',
        parameters: { statement: "update orders set state = 'late'\nwhere due < now()\n  and state = 'open'" },
        identity: { destination: { shown: 'db.internal:5432/shop' } },
      },
    }),
    madeRecord(7, {
      tool: 'twilio_send_sms',
      caller: 'assistant of Ann',
      risk: 'high',
      shown: {
        description: 'Sends a text message.',
        provider: 'twilio',
        parameters: { to: '+49 170 5550123', text: 'The delivery comes on Thursday.' },
        identity: {},
      },
    }),
    madeRecord(8, {
      tool: 'web_request',
      caller: 'research',
      shown: {
        description: 'Sends a request.',
        parameters: { method: 'POST', url: 'https://forms.example.org/submit', body: { name: 'Weber', interest: 'pallets' } },
        identity: { destination: { shown: 'POST https://forms.example.org/submit' } },
      },
    }),
  ];
}
