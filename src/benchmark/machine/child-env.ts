/**
 * The environment of a program that we start: ours, but for what is only our business. A DSN with its password would
 * otherwise be in the environment of every server and of whatever that starts.
 */
export function childEnv(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name !== 'WHALEMARK_DSN'));
}
