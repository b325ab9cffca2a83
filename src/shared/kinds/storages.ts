import { msg, type Message } from '../message.ts';
import type { Engine } from './engines.ts';
import type { Shades, SupportFacts } from './kind.ts';
import type { StorageOptions } from './storage-options.ts';

/** Data loss: never, with a nameless volume, with the container, or at its end. */
export const DURABILITIES = ['kept', 'unnamed', 'container', 'memory'] as const;

/** Texts are `storage.KIND` and `choice.storage.KIND`. */
export interface StorageTraits {
  options?: readonly (keyof StorageOptions)[];
  needsOption?: true;
  /** Facts without which the kind is refused. */
  asks?: readonly ('bind' | 'shared' | 'native')[];
  refusal?: (engine: Engine, options: StorageOptions) => Message | undefined;
  /** Limits of `sizeMiB` and of the size chosen without it. */
  sizes?: { leastMiB: number; mostMiB: number };
  durability: (typeof DURABILITIES)[number];
  /** The data's disk; unset: a place of the user. */
  disk?: 'engine' | 'bind';
  shades: Shades;
}

interface ContainerStorageTraits extends StorageTraits {
  /** A swarm's services only get volumes and folders by name. */
  serviceRefusal?: (engine: Engine) => Message | undefined;
  isSlow?: true;
}

const noService = (): Message => msg('support.meshStorage');

/**
 * Hues after Okabe and Ito for color blindness (https://jfly.uni-koeln.de/color/), adapted for contrast;
 * further hues are near seldom compared ones.
 */
const CONTAINER_STORAGES = {
  'named-volume': {
    options: ['starts'],
    durability: 'kept',
    disk: 'engine',
    shades: { light: ['#0072b2', '#00395a', '#3a93cc'], dark: ['#56b4e9', '#b5def7', '#3489c4'] },
  },
  'anonymous-volume': {
    durability: 'unnamed',
    disk: 'engine',
    serviceRefusal: noService,
    shades: { light: ['#0b8597', '#064650', '#1d97aa'], dark: ['#3fc6d4', '#a8ebf1', '#2498a5'] },
  },
  'bind-mount': {
    options: ['starts'],
    durability: 'kept',
    disk: 'bind',
    asks: ['bind', 'shared'],
    refusal: ({ remote, userns }) =>
      remote ? msg('support.remoteFolder') : userns === true ? msg('support.usernsFolder') : undefined,
    serviceRefusal: ({ selinux }) => (selinux ? msg('support.meshSelinux') : undefined),
    isSlow: true,
    shades: { light: ['#c65300', '#6f2f00', '#dd7a2b'], dark: ['#f08a3c', '#ffcaa0', '#c96a20'] },
  },
  'container-layer': {
    options: ['starts'],
    durability: 'container',
    disk: 'engine',
    serviceRefusal: noService,
    shades: { light: ['#00855f', '#00452f', '#269c76'], dark: ['#2fc593', '#9be8cd', '#1c9870'] },
  },
  /** Data in an image outside of its VOLUME, copied into the container's layer when changed. */
  'image-layer': {
    durability: 'container',
    disk: 'engine',
    serviceRefusal: noService,
    shades: { light: ['#4b7a1e', '#28430c', '#6b9a3d'], dark: ['#93c95c', '#cfeab3', '#6f9f3e'] },
  },
  'data-container': {
    durability: 'unnamed',
    disk: 'engine',
    serviceRefusal: noService,
    shades: { light: ['#a06a00', '#573a00', '#b98316'], dark: ['#e69f00', '#ffd98a', '#b67e05'] },
  },
  'volume-options': {
    durability: 'kept',
    options: ['options'],
    needsOption: true,
    isSlow: true,
    shades: { light: ['#736f00', '#3e3c00', '#8d8a22'], dark: ['#e6da3c', '#f6f1a5', '#a79e1d'] },
  },
  nfs: {
    durability: 'kept',
    options: ['nfs'],
    needsOption: true,
    isSlow: true,
    shades: { light: ['#5d4e9e', '#2f2756', '#877acb'], dark: ['#b3a7ea', '#ddd8f7', '#8a7cc4'] },
  },
  tmpfs: {
    durability: 'memory',
    options: ['starts', 'sizeMiB'],
    // More than any machine has.
    sizes: { leastMiB: 1, mostMiB: 2 ** 25 },
    shades: { light: ['#8e4585', '#4b1f46', '#b76fad'], dark: ['#d68fcf', '#f1c9ed', '#a9609f'] },
  },
} satisfies Record<string, ContainerStorageTraits>;

export type ContainerStorageKind = keyof typeof CONTAINER_STORAGES;
export type StorageKind = ContainerStorageKind | 'native';

export const STORAGES: Readonly<Record<StorageKind, StorageTraits>> = {
  ...CONTAINER_STORAGES,
  native: {
    durability: 'kept',
    asks: ['bind', 'native'],
    refusal: ({ remote }) => (remote ? msg('support.remoteNative') : undefined),
    shades: { light: ['#26343b', '#000000', '#56707c'], dark: ['#dfe8eb', '#ffffff', '#a9b7bd'] },
  },
};

export function isContainerStorage(kind: StorageKind): kind is ContainerStorageKind {
  return kind !== 'native';
}

export function inContainer(kind: StorageKind): ContainerStorageTraits | undefined {
  return isContainerStorage(kind) ? CONTAINER_STORAGES[kind] : undefined;
}

export function storageRefusal(
  { kind, ...options }: StorageOptions & { kind: StorageKind },
  engine: Engine,
  facts: SupportFacts,
): Message | undefined {
  const { refusal, asks = [] } = STORAGES[kind];
  return refusal?.(engine, options) ?? asks.map((fact) => facts[fact]).find((reason) => reason !== undefined);
}

export function isKept(kind: StorageKind): boolean {
  return isContainerStorage(kind) && STORAGES[kind].durability === 'kept';
}

export function isInMemory(kind: StorageKind): boolean {
  return STORAGES[kind].durability === 'memory';
}

/** Whether data is lost with its container, or earlier. */
export function losesData(kind: StorageKind): boolean {
  const { durability } = STORAGES[kind];
  return durability === 'container' || durability === 'memory';
}
