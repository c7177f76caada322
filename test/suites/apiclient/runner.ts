import path from 'node:path';

/** The real runner, which `npm run test:suite apiclient` installs in a folder of its own. */
export const runner = path.resolve('node_modules/.cache/apiclient/node_modules/.bin/bru');
