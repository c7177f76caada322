/**
 * Common nouns of subjects that people ask assistants about, and that tools rarely serve. When a query has one and no hit covers it, the
 * hits count as doubtful. A tool covers a noun that is in its name, tags or description, so the list need not know the tools.
 */
export const foreignNouns: ReadonlySet<string> = new Set(
  `accommodation actor airport alarm album aloud animal animation antivirus apartment audio banana band barcode beach bedtime beer
  bicycle bike biology bird bread breakfast bus cab cafe calorie camera capital car cat chemistry chess chinese classifier clip coffee
  compass concert cough crossword cruise curtain dentist dessert dice dictionary diet dinner dishwasher doctor dog dollar door draw
  dream dress driver drone drum earthquake electricity embedding episode essay euro exam exchange exercise face fax ferry fever film
  firewall flashcard flight flower food football forecast french fridge fruit furniture game garden german gift grammar grocery guitar
  gym haiku haircut headache heart heating history homework horoscope hostel hotel humidity instrument insurance italian itinerary
  japanese jazz job joke juice kitchen lamp landlord laundry league lecture library lottery luggage lunch lyric lyrics marathon massage
  meal medicine melody metro microphone mortgage movie mp3 mp4 museum music narration neural novel nutrition oven pain painting parcel
  parking passport petrol philosophy photo photograph photosynthesis physics piano pill pizza planet plant playlist podcast poem poetry
  pollen portfolio portrait portuguese pregnancy printer pronunciation pulse puzzle qr quantum quiz radio rain receipt recipe recipes
  rent restaurant restaurants resume rhyme riddle robot room salad scanner scooter screen selfie shirt shoe shoes singer sketch sleep
  snow soccer song soup spanish speech stock storm subtitle subtitles subway sudoku sunrise sunset supermarket symptom synonym taxi tea
  telescope tennis therapy thermostat thumbnail ticket tide trailer train trainer tram transcript transcription translate translation
  travel tree tv tweet vacation vaccine vacuum vegetable video visa voice voicemail wallpaper washing weather wedding wine workout yoga
  zodiac`.split(/\s+/),
);

/** Names of services and products. A query with such a name means that service. */
export const foreignServices: ReadonlySet<string> = new Set(
  `adobe airbnb airtable alexa alibaba amazon asana auth0 aws azure bigquery bing bitbucket bluesky box cassandra chatgpt clickup
  cloudflare confluence datadog dhl discord docker docusign dropbox ebay ec2 elasticsearch etsy excel expedia facebook fedex figma
  firebase gcp gitlab google grafana helm heroku icloud instagram intercom jenkins jira kafka kubernetes lambda linear linkedin lyft
  marketo mastodon mongo mongodb mysql netflix netlify okta onedrive opentable oracle outlook pagerduty paypal pinterest powerpoint
  quickbooks rabbitmq reddit redis s3 salesforce sap sendgrid sentry servicenow sharepoint shopify signal siri skype snowflake splunk
  spotify sqs square stripe tableau teams telegram terraform tiktok trello tumblr twitch twitter typeform uber ups vercel vimeo wechat
  whatsapp wikipedia wolfram woocommerce wordpress xero yelp youtube zapier zendesk zoom`.split(/\s+/),
);
