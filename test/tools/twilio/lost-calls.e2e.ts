import { type LostCall, lostCalls } from '../lost-calls.ts';
import { messagesPath } from './twilio-toolkit.ts';

const listOf = (...messages: readonly object[]): object => ({ messages, next_page_uri: null });
const dated = (message: object, at: number): object => ({ ...message, date_created: new Date(at).toUTCString() });

const lost = (tool: string, open: LostCall['open'] = {}): LostCall => ({
  tool,
  asks: () => [`${messagesPath}?To=+15558675310`, 'PageSize=1000'],
  tells: (message, at) => listOf(dated(message, at)),
  tellsNothing: listOf({ sid: 'SM1', status: 'received', direction: 'inbound', body: 'Danke!', date_created: null }),
  open: {
    'Twilio has changed the text': (message, at) => listOf(dated({ ...message, body: 'Sent from your Twilio trial account - Hello' }, at)),
    'two were sent': (message, at) => listOf(dated(message, at), dated({ ...message, sid: 'SM2' }, at)),
    'there are more messages than fit on a page': () => ({ messages: [], next_page_uri: `${messagesPath}?Page=1&PageToken=PASM1` }),
    ...open,
  },
});

lostCalls('twilio', [
  lost('twilio_send_sms', { 'a picture went along': (message, at) => listOf(dated({ ...message, num_media: '1' }, at)) }),
  lost('twilio_send_mms', { 'other pictures went along': (message, at) => listOf(dated({ ...message, num_media: '2' }, at)) }),
  { ...lost('twilio_send_mms'), example: 1, open: {} },
]);
