/** A difference between hand-written tools and generated ones that is as it should be. */
export interface HandWrittenDifference {
  /** Names of hand-written tools. */
  readonly tool: RegExp;
  readonly finding: RegExp;
  readonly reason: string;
}

/**
 * Differences with their reasons. Beside these, two are taken out before requests are compared: the order of different names, which
 * each definition chooses, and a blank of a query, which hand-written tools write as `+` and generated ones as `%20`.
 */
export const handWrittenDifferences: readonly HandWrittenDifference[] = [
  {
    tool: /^slack_/,
    finding: /: mediaType : hand-written 'application\/json', generated 'application\/x-www-form-urlencoded'$/,
    reason: 'Slack takes JSON and forms; its description names forms only. The members are compared.',
  },
  {
    tool: /^slack_(get_channel_history|get_thread_replies|delete_message)$/,
    finding: /: (query|body) (latest|oldest|ts): hand-written \[ '(\d+\.\d*?)0*' \], generated \[ '\d+(\.\d+)?' \]$/,
    reason: 'The description types timestamps as numbers, which have no zeros at the end; Slack reads both alike.',
  },
  {
    tool: /^(github|notion)_/,
    finding: /: (mediaType : hand-written 'application\/json', generated undefined|body : hand-written \{\}, generated undefined)$/,
    reason: 'The body is optional: the hand-written tool sends an empty object where no member is given, the generated one sends none.',
  },
  {
    tool: /^notion_create_page$/,
    finding: /: not sent: .*(children\[0\] expected string|parent\.page_id is required)/,
    reason: 'The description types children, icon and cover as texts, and leaves out parents that are data sources.',
  },
  {
    tool: /^notion_(update_page|create_comment|query_database)$/,
    finding: /: not sent: .*(icon\.type is not known|text is required|property is required)/,
    reason: 'The description knows only one of the kinds of icons, rich texts and sorts.',
  },
  {
    tool: /^twilio_list_messages$/,
    finding: /: not sent: .*DateSent\w* expected to match format "date-time"/,
    reason: 'The description says date-time; Twilio takes dates, which the hand-written tool gives.',
  },
  {
    tool: /^mailchimp_(add|update)_list_member$/,
    finding: /: not sent: .*merge_fields\.\w+ expected object, received string/,
    reason: 'The description types the values of merge fields as objects; they are texts.',
  },
];
