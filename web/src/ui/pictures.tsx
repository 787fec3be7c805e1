// Each game's picture on the home page, drawn in its own colours.
import { Match, Switch } from "solid-js";

// A number stands in the middle of its card; a playing card has its index in the corner.
const Card = (props: { x: number; y: number; turn: number; text: string; red?: boolean; fill?: string }) => {
  const [, rank, suit] = /^(.*?)([♠♥♦♣]?)$/.exec(props.text)!;
  return (
    <g
      transform={`translate(${props.x} ${props.y}) rotate(${props.turn})`}
      font-weight="700"
      font-family="Georgia, 'DejaVu Serif', serif"
      text-anchor="middle"
      fill={props.red ? "#c8102e" : "#1c1a1a"}
    >
      <rect x="-22" y="-31" width="44" height="62" rx="5" fill={props.fill ?? "#fffdf8"} stroke="rgb(0 0 0 / .3)" />
      {suit ? (
        <>
          <text x="-12.5" y="-13" font-size="17">
            {rank}
          </text>
          <text x="-12.5" y="0" font-size="12">
            {suit}
          </text>
          <text x="7" y="25" font-size="30">
            {suit}
          </text>
        </>
      ) : (
        <text x="0" y="9" font-size="25">
          {rank}
        </text>
      )}
    </g>
  );
};

// A game without a picture of its own shows its icon.
export function Picture(props: { game: string; icon: string }) {
  return (
    <svg class="picture" viewBox="0 0 240 120" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <Switch
        fallback={
          <text x="120" y="62" font-size="64" text-anchor="middle" dominant-baseline="central" fill="currentColor">
            {props.icon}
          </text>
        }
      >
        <Match when={props.game === "whos-deal"}>
          <Card x={72} y={68} turn={-18} text="9♠" />
          <Card x={104} y={60} turn={-6} text="A♥" red />
          <Card x={136} y={60} turn={6} text="J♦" red />
          <Card x={168} y={68} turn={18} text="J♥" red />
        </Match>
        <Match when={props.game === "up-n-down"}>
          <Card x={60} y={62} turn={0} text="12" fill="#90ee90" />
          <Card x={100} y={52} turn={0} text="47" fill="#90ee90" />
          <Card x={140} y={52} turn={0} text="63" fill="#ffb6b6" />
          <Card x={180} y={62} turn={0} text="91" fill="#ffb6b6" />
        </Match>
        <Match when={props.game === "4-kate"}>
          <rect x="58" y="8" width="124" height="104" rx="10" fill="#2a4aa0" />
          {[0, 1, 2, 3].map((row) =>
            [0, 1, 2, 3, 4].map((column) => {
              const red = (row === 3 && column < 4) || (row === 2 && column === 2);
              const yellow = (row === 2 && column < 2) || (row === 3 && column === 4) || (row === 1 && column === 2);
              return (
                <circle
                  cx={74 + column * 23}
                  cy={24 + row * 24}
                  r="9"
                  fill={red ? "#ff5a4f" : yellow ? "#ffd24d" : "#0d1836"}
                />
              );
            }),
          )}
        </Match>
        <Match when={props.game === "terrible-people"}>
          <g
            transform="translate(84 60) rotate(-7)"
            font-size="10.5"
            font-weight="700"
            font-family="system-ui, sans-serif"
          >
            <rect x="-42" y="-44" width="84" height="88" rx="7" fill="#0c0a0e" stroke="#6b5a75" />
            <g fill="#fff">
              <text x="-34" y="-22">
                The secret
              </text>
              <text x="-34" y="-8">
                ingredient
              </text>
              <text x="-34" y="6">
                is
              </text>
            </g>
            <rect x="-20" y="5" width="48" height="3" fill="#ff7d9c" />
          </g>
          <g
            transform="translate(164 64) rotate(9)"
            font-size="10.5"
            font-weight="700"
            font-family="system-ui, sans-serif"
          >
            <rect x="-36" y="-40" width="72" height="80" rx="7" fill="#fffdf8" />
            <g fill="#1c1a1a">
              <text x="-29" y="-19">
                a very
              </text>
              <text x="-29" y="-5">
                small
              </text>
              <text x="-29" y="9">
                horse
              </text>
            </g>
          </g>
        </Match>
        <Match when={props.game === "hand-and-foot"}>
          {[0, 1, 2, 3, 4, 5, 6].map((i) => (
            <Card
              x={66 + i * 18}
              y={62 + Math.abs(i - 3) * 3}
              turn={(i - 3) * 7}
              text={i === 3 ? "2♠" : "K♥"}
              red={i !== 3}
              fill={i === 3 ? "#ffe27a" : "#fffdf8"}
            />
          ))}
        </Match>
      </Switch>
    </svg>
  );
}
