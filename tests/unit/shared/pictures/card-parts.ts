import type { CardNode } from '../../../../src/shared/pictures/card-node.ts';

function partsOf(node: CardNode): CardNode[] {
  return node.type === 'container' ? [node, ...node.children.flatMap(partsOf)] : [node];
}

/** The texts in a card, in reading order. */
export function cardTexts(card: CardNode): string[] {
  return partsOf(card).flatMap((node) => (node.type === 'text' && node.text !== '' ? [node.text] : []));
}

/** The card's drawings as SVG. */
export function cardPictures(card: CardNode): string[] {
  return partsOf(card).flatMap((node) => (node.type === 'image' ? [node.src] : []));
}
