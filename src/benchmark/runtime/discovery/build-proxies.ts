import { cliConfig } from './candidates.ts';
import { type Surroundings, thisMachine } from './surroundings.ts';

/** Source: Docker CLI documentation, "Configure the Docker CLI to use a proxy server". */
const NAMES = {
  httpProxy: 'HTTP_PROXY',
  httpsProxy: 'HTTPS_PROXY',
  noProxy: 'NO_PROXY',
  ftpProxy: 'FTP_PROXY',
  allProxy: 'ALL_PROXY',
};

interface BuildProxies {
  arguments: Record<string, string>;
  secrets: string[];
}

export function buildProxies(endpoint: string, surroundings: Surroundings = thisMachine()): BuildProxies {
  const proxies = cliConfig(surroundings).proxies ?? {};
  const [address = ''] = endpoint.split(' ');
  const keys = ['', 'unix://', 'npipe://', 'tcp://'].map((scheme) => `${scheme}${address}`);
  const own = keys.find((key) => Object.hasOwn(proxies, key)) ?? 'default';
  const found = proxies[own] ?? {};
  const result: BuildProxies = { arguments: {}, secrets: [] };
  for (const [key, name] of Object.entries(NAMES)) {
    const value = found[key];
    if (typeof value !== 'string' || value === '') continue;
    result.arguments[name] = result.arguments[name.toLowerCase()] = value;
    if (name !== 'NO_PROXY') result.secrets.push(value, ...partsOf(value));
  }
  return result;
}

function partsOf(proxy: string): string[] {
  try {
    const { host, password } = new URL(proxy);
    return [host, password].filter((part) => part !== '');
  } catch {
    return [];
  }
}
