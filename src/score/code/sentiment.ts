// Owns the sentiment of a text: a small list of English words with how good (to 5) or bad (to -5) they sound.

import { words } from "../similarity.ts";

const LIST = `
-5 bastard
-4 awful catastrophic catastrophe fraud hell terrible torture
-3 abuse agony angry anger bad cheat cruel dead died disastrous disaster dreadful evil fake guilty hate hated hates horrible kill killed liar lied mad miserable pathetic rude stupid ugly useless worst worse
-2 abandon afraid alone annoy annoyed annoying anxious apologize ashamed blame bored boring broke broken complain complaint confused confusing cry damage danger dangerous defect denied difficult disappoint disappointed disappointing disgust dislike error errors fail failed failing fails failure fear frustrated frustrating hurt ignore impossible incompetent lost mess mistake mistakes nervous pain poor problem problems refuse refused reject rejected risk sad scared severe sick sorry struggle stuck suffer threat tired trouble unable unacceptable unfair unfortunately unhappy upset weak worried worry wrong
-1 avoid cancel cancelled cut delay delayed expensive hard leave limited lonely miss missing no pay scold slow stop unclear uncertain warning
1 agree allow big care clear easy fit fresh hope join keep matter natural ok okay please pretty safe share smart true want warm yes
2 accept accepted advantage benefit best better bright calm cheerful clean comfortable comfort confident cool correct fair favorite fine free friendly glad gain gentle help helpful helping helps honest improve improved interesting kind like liked pleased pleasure positive powerful progress promise proud ready reliable reward secure smile solve solved strong success support thank thanks trust useful welcome worth
3 admire amused beautiful beloved celebrate charming delight delighted enjoy enjoyed excellent excited exciting good grateful great happy happiness impressed impressive joy loved love lovely lucky loving luxury nice perfect perfectly pleasant satisfied successful super thrilled vibrant wonderfully
4 amazing awesome brilliant fantastic fun funny heavenly masterpiece miracle stunning win winner wonderful
5 breathtaking outstanding superb thrilling`;

const VALUES: ReadonlyMap<string, number> = new Map(
  LIST.trim().split("\n").flatMap((line) => {
    const [value, ...list] = line.split(" ");
    return list.map((word) => [word, Number(value)] as const);
  }),
);

const NEGATIONS: ReadonlySet<string> = new Set(["not", "never", "no", "cannot", "without", "hardly", "nothing", "neither"]);

/** The sum of the values over the count of the words; a word right after a negation has its sign turned. 0 for a text without words. */
export function sentimentOf(text: string): number {
  const all = words(text.replaceAll("’", "'"));
  let sum = 0;
  all.forEach((word, at) => {
    const value = VALUES.get(word);
    if (value === undefined) return;
    const before = all[at - 1] ?? "";
    sum += NEGATIONS.has(before) || before.endsWith("n't") ? -value : value;
  });
  return all.length === 0 ? 0 : sum / all.length;
}
