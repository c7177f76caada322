/** The file that records what was accepted of sources, beside the configuration. Meant for git. */
export const lockFileName = 'toolkit.lock';
