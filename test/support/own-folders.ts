import path from 'node:path';

// What tests work out, and their keys, are kept for them alone, not in the home folder of who runs them.
process.env['XDG_CACHE_HOME'] = path.resolve('node_modules/.cache/test-cache');
process.env['XDG_STATE_HOME'] = path.resolve('node_modules/.cache/test-state');
