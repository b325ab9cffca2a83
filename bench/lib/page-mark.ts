import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Asks the first page of a DevTools port; Node 20 has its WebSocket behind a flag, so it is its own program. */
const ASK = `
const [port, name] = process.argv.slice(1);
const pages = await (await fetch('http://127.0.0.1:' + port + '/json')).json();
const socket = new WebSocket(pages.find(({ type }) => type === 'page').webSocketDebuggerUrl);
const expression = '{ const [mark] = performance.getEntriesByName(' + JSON.stringify(name) +
  '); mark === undefined ? null : performance.timeOrigin + mark.startTime }';
socket.onopen = () => socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }));
socket.onmessage = ({ data }) => {
  console.log(JSON.stringify(JSON.parse(data).result.result.value));
  socket.close();
};
`;

/** When the page behind a DevTools port set the mark, ms since the epoch; null when it has not. */
export async function pageMark(port: string, name: string): Promise<number | null> {
  const flags = ['--experimental-websocket', '--no-warnings', '--input-type=module', '--eval', ASK];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, port, name]);
  return JSON.parse(stdout) as number | null;
}
