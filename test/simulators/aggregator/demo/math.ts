const answers = [
  `### The area under the bell

The integral has no elementary antiderivative, and still its value is simple:

$$
\\int_{-\\infty}^{\\infty} e^{-x^2}\\,dx = \\sqrt{\\pi}
$$

Call it $I$ and square it. The product is an integral over the plane, where $x^2 + y^2 = r^2$ and the area element is $r\\,dr\\,d\\theta$:

$$
I^2 = \\int_0^{2\\pi}\\!\\int_0^{\\infty} e^{-r^2}\\, r\\,dr\\,d\\theta = 2\\pi \\cdot \\tfrac{1}{2} = \\pi
$$

So $I = \\sqrt{\\pi} \\approx 1.7725$. The extra factor $r$ is what makes it solvable.`,
  `### How likely a shared birthday is

With $n$ people, the chance that **no** two share a day is

$$
p(n) = \\prod_{k=0}^{n-1} \\left(1 - \\frac{k}{365}\\right) \\approx e^{-n(n-1)/730}
$$

| People $n$ | Shared day, $1 - p(n)$ |
|---:|---:|
| 10 | 11.7 % |
| 23 | 50.7 % |
| 40 | 89.1 % |
| 57 | 99.0 % |

At $n = 23$ there are $\\binom{23}{2} = 253$ pairs, which is why so few people are enough.`,
  `### Solving a quadratic, once and for all

For $ax^2 + bx + c = 0$ with $a \\neq 0$:

$$
x_{1,2} = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}
$$

Take $2x^2 - 4x - 6 = 0$. The discriminant is $16 + 48 = 64$, its root $8$:

1. $x_1 = (4 + 8)/4 = 3$
2. $x_2 = (4 - 8)/4 = -1$

*Check:* $2 \\cdot 9 - 12 - 6 = 0$ and $2 + 4 - 6 = 0$.`,
];

/** A worked piece of mathematics, inline and displayed, one of several by `variant`. */
export function mathAnswer(variant: number): string {
  return answers[variant % answers.length] ?? "";
}
