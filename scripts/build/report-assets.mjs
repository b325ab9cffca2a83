import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'node_modules');
const inter = join(modules, '@expo-google-fonts', 'inter');
const notoSansSc = join(modules, '@expo-google-fonts', 'noto-sans-sc');

/**
 * `from` is in node_modules, `to` in the assets folder that `loadPngAssets` reads.
 *
 * @returns {{ from: string, to: string }[]}
 */
export function reportAssets() {
  return [
    { from: join(modules, '@takumi-rs', 'wasm', 'pkg', 'takumi_wasm_bg.wasm'), to: 'takumi.wasm' },
    { from: join(inter, '400Regular', 'Inter_400Regular.ttf'), to: 'Inter-Regular.ttf' },
    { from: join(inter, '700Bold', 'Inter_700Bold.ttf'), to: 'Inter-Bold.ttf' },
    { from: join(notoSansSc, '400Regular', 'NotoSansSC_400Regular.ttf'), to: 'NotoSansSC-Regular.ttf' },
    // The SIL Open Font License asks to go with the fonts.
    { from: join(inter, 'LICENSE_FONT'), to: 'Inter-LICENSE.txt' },
    { from: join(notoSansSc, 'LICENSE_FONT'), to: 'NotoSansSC-LICENSE.txt' },
  ];
}
