"""Which modules a verdict rests on, in reading order, with what could go wrong in each.

``lapdp.report.trust`` makes the tables of TRUST.md from this; a test refuses a module that the
engine reaches and that is not listed here.
"""

from __future__ import annotations

from lapdp.privacy.mechanisms import CARDS

PARTS: tuple[tuple[str, dict[str, str]], ...] = (
    ("The kernel", {
        "lapdp.kernel.symbols": "A symbol with a value where the mathematics has none.",
        "lapdp.kernel.terms": "A bound variable captured by a substitution; two terms of different "
                              "sorts under one number.",
        "lapdp.kernel.domain": "A condition left out, so that a sentence has no meaning somewhere.",
        "lapdp.kernel.texts": "A text read as another formula; a letter captured.",
        "lapdp.kernel.rules": "A theorem made without a rule.",
        "lapdp.kernel.logic": "A hypothesis lost; a variable that is not free generalised.",
        "lapdp.kernel.polynomials": "Two terms read as one polynomial that differ somewhere.",
        "lapdp.kernel.analysis": "A law of a function used outside its domain.",
        "lapdp.kernel.integrals": "A step under an integral without integrability.",
        "lapdp.kernel.balls": "A ball that does not contain its number.",
        "lapdp.kernel.facts": "A named fact with a hypothesis too few, or a constant too small.",
        "lapdp.kernel.checker": "A line that is read as another rule or another theorem.",
        "lapdp.core.checked": "A derivation of another sentence, or with open hypotheses, let "
                              "through; a second way to make a `Checked`.",
    }),
    ("Statements as sentences of the kernel", {
        "lapdp.theory.sentences": "An assumption, or the range of a parameter, that the statement "
                                  "does not make.",
        "lapdp.kernel.saying": "Two letters under one; a condition of a relation that is lost.",
        "lapdp.kernel.recursions": "Equations that no function satisfies: all would follow; an "
                                   "index that is off by one.",
        "lapdp.kernel.losses": "A convention at 0/0 or at an infinite loss that the definition "
                               "does not have.",
        "lapdp.kernel.spaces": "A coordinate of a product left out; an outcome counted twice.",
        "lapdp.kernel.notions": "A notion or a density that is not the one of the literature.",
        "lapdp.theory.sentences.terms": "A node read as another function, or evaluated on the way; "
                                        "an assumption read too strongly.",
        "lapdp.theory.sentences.formulas": "A quantifier over too few values; a claim that is "
                                           "allowed to be undefined.",
        "lapdp.theory.sentences.points": "A notion with P and Q exchanged, or with another "
                                         "integrand than its definition.",
        "lapdp.theory.sentences.spaces": "A mass that is not the mechanism's; a pair taken for "
                                         "another one.",
        "lapdp.theory.sentences.transforms": "An integral over a density of the loss without its "
                                             "masses at the ends; a supremum over too few values.",
        "lapdp.theory.derivations": "A digest that is not the sentence of the statement.",
    }),
    ("The core", {
        "lapdp.core.calls": "Nothing is decided here; a call that fits and is refused.",
        "lapdp.core.deadline": "An alarm that comes late, or not at all: an answer takes longer, "
                               "and none is made of what was stopped.",
        "lapdp.core.effort": "Nothing is decided here; steps that are not counted, and an answer "
                             "takes longer.",
        "lapdp.core.errors": "Nothing is decided here; a wrong base class could let a method's "
                             "refusal pass as an answer.",
        "lapdp.core.facts": "A fact stated too strongly, or a source that does not prove it.",
        "lapdp.core.precision": "A precision that another thread changes: balls stay right, "
                                "and get wider.",
        "lapdp.core.room": "Nothing is decided here; a call takes longer.",
        "lapdp.core.verdict": "A missing branch or a failed obligation that is not refused; a "
                              "second way to make a `Proof`.",
    }),
    ("Exact calculus", {
        "lapdp.calculus.form": "A wrong sign of a power of i; two forms of one number that do not "
                               "compare equal.",
        "lapdp.calculus.field": "A zero numerator for an element that is not zero: a sign lost "
                                "when fractions are brought together.",
        "lapdp.calculus.logs": "A logarithm of an element that is not positive; a power of it that "
                               "is not the power of its argument.",
        "lapdp.calculus.elements": "A sign that the known signs do not entail: a row that is not "
                                   "true, an equation solved for what it does not determine.",
        "lapdp.calculus.farkas": "Weights that do not make the contradiction that "
                                 "they are said to make.",
        "lapdp.calculus.linear": "A contradiction found where there is none makes cases vanish.",
        "lapdp.calculus.enclose": "A ball that does not contain its number gives a wrong sign of "
                                  "a constant.",
        "lapdp.calculus.ordering": "A sign that the constraints do not entail; a split that leaves "
                                   "out a case; a cell called empty that is not.",
        "lapdp.calculus.region": "Open and closed edges confused; an intersection too large.",
        "lapdp.calculus.exact": "An impulse lost at a cut; germ and tail exchanged; a breakpoint "
                                "counted twice.",
        "lapdp.calculus.transform": "A transform given a value outside its strip; residues taken "
                                    "on the wrong side of the line.",
        "lapdp.calculus.rational": "A pole with the wrong place or order; a remainder lost.",
        "lapdp.calculus.convert": "A logarithm or root with the wrong branch.",
    }),
    ("Statements and their meaning", {
        "lapdp.calculus.nodes": "A bound variable that `subs` reaches.",
        "lapdp.calculus.sequences": "A step of a recursion, sum or mean with the wrong index.",
        "lapdp.privacy.families": "A part of a joint pair replaced in one place only.",
        "lapdp.privacy.nodes": "P and Q exchanged; two pairs of one name taken for one.",
        "lapdp.privacy.events": "A name that is not the outcome meant; S and T exchanged.",
        "lapdp.privacy.mixtures": "Weights read wrongly, or weights that make no distribution.",
        "lapdp.privacy.tradeoff_nodes": "The members of a trade-off function exchanged.",
        "lapdp.privacy.model": "A kernel with a wrong mass; the profile or a moment with the wrong "
                               "convention at 0^0 or at infinite loss.",
        "lapdp.theory.language": "A relation that SymPy evaluates before it is judged.",
        "lapdp.theory.statement": "A hash or a field that is not the statement judged.",
        "lapdp.theory.parse": "A formula given as text read as another one.",
        "lapdp.theory.vocabulary": "A word of texts bound to another function.",
        "lapdp.theory.cancelled": "The condition of a part that SymPy cancels lost, so that a "
                                  "formula has a value where what is written has none.",
        "lapdp.privacy.divergences": "A name that stands for another divergence, or for one of the "
                                     "other direction.",
        "lapdp.theory.hypotheses": "A hypothesis read too strongly. One that is ignored only "
                                   "makes a proof harder.",
        "lapdp.theory.premises": "A notion that may be +oo and is not counted, so that the "
                                 "difference of the sides says more than the hypothesis.",
        "lapdp.theory.consistency": "Hypotheses called contradictory that some instance satisfies.",
        "lapdp.theory.reach": "A bound variable that a rewriting does not reach.",
        "lapdp.theory.interpret": "An undefined value taken for a number; a grade lost, so that "
                                  "an expression counts as linear that is not.",
        "lapdp.theory.pointwise_claims": "A side that depends on the base measure; an outcome left "
                                         "out.",
        "lapdp.theory.substitution": "A part that has no value made to disappear.",
        "lapdp.theory.values": "A node given a meaning that the paper does not give it.",
        "lapdp.theory.curves": "The same under an integral; a kink or an impulse overlooked.",
        "lapdp.privacy.pointwise": "A ratio or loss with P and Q exchanged.",
        "lapdp.privacy.inner_loss": "A definition with the infinite losses counted.",
        "lapdp.theory.extended": "oo - oo or 0 oo with a value.",
        "lapdp.theory.homogeneity": "A condition that depends on the base measure of the "
                                    "densities let through.",
        "lapdp.theory.points": "A convention at 0/0 or at an infinite loss that the paper does not "
                               "have; a mass of a product taken from one factor.",
        "lapdp.theory.events": "An event of two spaces; an edge of a level set on the wrong side.",
        "lapdp.theory.spaces": "An outcome of one-sided mass left out of a supremum or integral.",
        "lapdp.theory.gaussian_integrals": "A Gaussian integral that diverges given a number, or "
        "one that converges called +oo.",
        "lapdp.theory.symmetric": "A symmetric integral that diverges at 0 or oo given a value, or "
        "exchanged with a mixture that no Dirichlet integral bounds.",
        "lapdp.theory.bromwich": "An inversion that converges only conditionally taken for an "
                                 "absolutely convergent one.",
    }),
    ("Kernels and the engine", {
        "lapdp.theory.exchange": "A bound in one kernel variable that is not one in all; a "
                                 "signed integrand called non-negative.",
        "lapdp.theory.obligations": "An obligation that is weaker than what it says.",
        "lapdp.theory.methods.combinations": "A kernel missing from the list, so that not every "
                                             "pair is a mixture of those checked.",
        "lapdp.theory.methods.multipliers": "A multiplier that is not one function of the "
                                            "parameters for all kernels.",
        "lapdp.theory.methods.outcomes": "A claim about integrals taken for one about outcomes.",
        "lapdp.theory.methods.exclusions": "A case excluded that a pair under the hypotheses has.",
        "lapdp.theory.methods.nothing": "An amount that is negative on some kernel; a null set "
                                        "taken for no outcome.",
        "lapdp.theory.methods.kernels": "A leaf whose obligations do not imply the claim there.",
        "lapdp.theory.methods.having_values": "A part without a value taken for a number.",
        "lapdp.theory.methods.registry": "A lemma that does not imply what is sealed by it.",
        "lapdp.theory.methods.uniqueness": "Two transforms on different lines, or values where the "
                                           "functions are not determined.",
        "lapdp.theory.methods.improper": "A limit that is not that of growing intervals.",
        "lapdp.theory.methods.bounded_letters": "A letter inside a notion; a derivative taken "
                                                "where there is none.",
        "lapdp.theory.methods.moment_order": "A mixture that is no distribution; an order of "
                                             "profiles that does not hold at all real numbers.",
        "lapdp.theory.methods.divergence_multiples": "A factor that is 0, an order that is 1, or "
                                                     "complex orders.",
        "lapdp.theory.methods.closed_on_a_box": "A closed form used where the mechanism does not "
                                                "exist.",
        "lapdp.theory.methods.moment_bounds": "A kernel on which the multiple is too small; a "
                                              "moment of another pair.",
        "lapdp.theory.methods.positivity": "An amount that is negative on some kernel.",
        "lapdp.theory.heavy": "A property of the pair that it does not have makes a wrong "
                              "`refuted`; no proof rests on it.",
        "lapdp.theory.normal_losses": "A wrong moment or tail of a normal law; a value at an "
        "infinite point.",
        "lapdp.theory.quotients": "A quotient read off that is another one.",
        "lapdp.theory.methods.logarithms": "A limit from above without a finite moment.",
        "lapdp.theory.methods.ratios": "A denominator that is 0 for some pair, cancelled; a value "
        "known for kernels and not for pairs.",
        "lapdp.theory.methods.letters": "A letter for a value that has none, or a mean that may be "
        "infinite; two values under one letter.",
        "lapdp.theory.methods.normal_approximation": "A bound used for another variance, third "
                                                     "moment or number of copies than its own.",
        "lapdp.theory.methods.multiples": "A factor that may be 0 or negative.",
        "lapdp.theory.methods.inner_losses": "A mean or variance added up that may be infinite; a "
                                             "letter for a value that has none.",
        "lapdp.theory.methods.implications": "A bound variable that escapes; a strict inequality "
                                             "from a weak one.",
        "lapdp.theory.methods.existence": "A letter that stands for two events.",
        "lapdp.theory.methods.added": "A factor of the wrong sign; a side without a value.",
        "lapdp.theory.methods.determination": "A recovery lemma used outside its hypotheses.",
        "lapdp.theory.methods.generalised": "Values compared where measures are meant, or in the "
                                            "wrong variable.",
        "lapdp.theory.rewriting": "A hypothesis specialised to what it does not speak of.",
        "lapdp.theory.methods.chains": "A middle term that differs between its two links.",
        "lapdp.theory.methods.universal": "A letter that stands for two things.",
        "lapdp.theory.methods.supposed": "A bound used against the sign of its coefficient; a "
                                         "bound variable captured.",
        "lapdp.theory.methods.fibres": "A kernel of the first pair with the wrong mass.",
        "lapdp.theory.methods.averages": "A functional that is not convex, or a coefficient of the "
                                         "wrong sign; a hypothesis on the mean used for a member.",
        "lapdp.theory.methods.hinges": "A coefficient of the wrong distribution; an order that is "
                                       "not supposed at all real numbers.",
        "lapdp.theory.methods.moduli": "The square of a bound that may be negative; a conjugate of "
                                       "what is not real.",
        "lapdp.theory.methods.means": "Means of two laws taken for means of one.",
        "lapdp.theory.methods.continuity": "A function without a value somewhere called "
                                           "continuous.",
        "lapdp.theory.methods.induction": "A letter that hides a variable which the supposition "
                                          "generalises; a base that is not the first case.",
        "lapdp.theory.methods.accepted": "A derivation of another sentence than the lemma's.",
        "lapdp.theory.methods.channels": "What is known of inputs said of outputs; an order of "
                                         "other pairs than inputs and outputs.",
        "lapdp.theory.methods.jets": "An impulse paired with more of a function than it has; two "
                                     "points taken for one.",
        "lapdp.theory.methods.convexity": "A cut of the likelihood ratio overlooked, so that a "
                                          "functional counts as convex that is not; an integral "
                                          "that may be infinite with the wrong sign.",
        "lapdp.theory.methods.dominance": "A hypothesis taken for dominance at every eps that is "
                                          "not; the two pairs exchanged.",
        "lapdp.theory.methods.guarantees": "A range of likelihood ratios too short; a kink of the "
                                           "interpolant with the wrong bound.",
        "lapdp.theory.methods.mixtures": "A weight lost when a combination is read; distributions "
                                         "of different spaces compared.",
        "lapdp.theory.methods.searching": "A node opened for the wrong sign; one outcome for two "
            "suprema.",
        "lapdp.theory.methods.shapes": "An inequality that is not that of convexity or monotony.",
        "lapdp.theory.methods.trade_offs": "A choice used before its condition is proved; an "
                                           "extremum opened on the wrong side.",
        "lapdp.theory.methods.unit_interval": "A property of distribution functions, or of "
            "profiles, that is not asked for.",
        "lapdp.theory.methods.universals": "An instance of a hypothesis where its conditions do "
            "not hold; a supporting line at an end.",
        "lapdp.theory.methods.lemmatic": "An infimum over an empty set, or a level outside [0, 1].",
        "lapdp.theory.methods.sizes": "A candidate that is no test; a bound variable captured.",
        "lapdp.theory.methods.real_lemmas": "A hypothesis read with the wrong sign.",
        "lapdp.theory.methods.conjugates": "An order kept where it is reversed; a hypothesis that "
                                           "is not one at all arguments.",
        "lapdp.theory.meaning": "A statement without a meaning is judged.",
        "lapdp.theory.unfolding": "A claim rewritten into one that does not imply it.",
        "lapdp.theory.shapes": "A claim of a composition, of means or of outputs taken for one of "
                               "arbitrary pairs.",
        "lapdp.theory.planner": "`derived` for a statement with no live case.",
        "lapdp.theory.beside_numbers": "A verdict that numbers deny stands.",
        "lapdp.theory.engine": "A verdict on record that the statement does not have.",
    }),
    ("Concrete mechanisms", {
        "lapdp.privacy.parameters": "A parameter that is not the number meant.",
        "lapdp.privacy.mechanism": "A range that is too wide for the model.",
        "lapdp.privacy.changes": "A derivative of the change forgotten; ends exchanged.",
        "lapdp.privacy.push_forward": "A stretch of the line read in the wrong variable.",
        "lapdp.privacy.density_pairs": "A function that is no density taken for one.",
        "lapdp.privacy.quadratic_losses": "The roots of a quadratic exchanged; an antiderivative "
                                          "with a jump.",
        **{f"lapdp.privacy.mechanisms.{name}": card.pitfall for name, card in CARDS.items()},
        "lapdp.privacy.finite": "Masses merged or dropped that should not be.",
        "lapdp.privacy.pair": "The model of one pair handed out for another.",
        "lapdp.privacy.subsampled": "The two members exchanged; a rate out of range.",
        "lapdp.privacy.adaptive": "An outcome that one side has alone counted with a second "
                                  "pair; a shift of the losses in the wrong direction.",
        "lapdp.privacy.adaptive_loss": "The same.",
        "lapdp.privacy.channels": "A cell that leaves out its end; Q-mass read at the wrong cut.",
        "lapdp.privacy.symmetrized": "Mass at loss 0 counted on one side; a pair that is no bound "
                                     "taken for one.",
        "lapdp.privacy.overlapping_tradeoff": "The wrong root of a quadratic equation.",
        "lapdp.privacy.overlapping_moments": "An antiderivative used at an end where it has no "
                                             "value, or at an order where it has a pole.",
        "lapdp.privacy.overlapping_curves": "A piece read at the wrong end; an atom lost at the "
                                            "edge of the losses.",
        "lapdp.privacy.overlapping": "A weight that belongs to the other member; mass at an "
                                     "infinite loss that the other mixture shares.",
        "lapdp.privacy.comparison": "A formula on the wrong piece of the line; a direction taken "
                                    "for the other.",
        "lapdp.privacy.letters": "Two numbers under one letter.",
        "lapdp.privacy.operations": "A product that forgets infinite losses of a factor.",
        "lapdp.calculus.reading": "A kink of a density not seen.",
        "lapdp.calculus.sign_patterns": "A zero at a breakpoint left out.",
        "lapdp.calculus.zeros": "A zero where there is none.",
        "lapdp.calculus.exponentials": "A ball that does not hold the value; a tail with the wrong "
                                       "sign.",
        "lapdp.calculus.isolation": "A zero between two points that is not found.",
        "lapdp.calculus.positivity": "A pattern of signs that does not follow from the slope and "
                                     "the ends: a density that is negative somewhere let through.",
        "lapdp.privacy.products": "The same for masses at infinity; a law without a strip.",
        "lapdp.calculus.polynomials": "Two breakpoints or poles under one variable; a radical "
                                      "that is not reduced.",
        "lapdp.calculus.partial_fractions": "A residue with the wrong sign.",
        "lapdp.calculus.collected": "A pole on the wrong side of the line, or called removable.",
        "lapdp.calculus.sums": "A denominator that is not a common one.",
    }),
    ("Special functions and rates", {
        "lapdp.theory.methods.tower": "A functional equation applied outside its domain.",
        "lapdp.theory.bound_letters": "A letter that runs where it is not what it is declared to "
                                      "be, let through.",
        "lapdp.theory.apart": "A letter of its own that is not put everywhere below its binder.",
        "lapdp.theory.methods.definedness": "A point where a side has no value, overlooked.",
        "lapdp.theory.methods.gaussians": "A closed form outside its region.",
        "lapdp.theory.methods.special": "A derivative taken across a gap of the domain, so that "
                                        "one point does not settle the rest.",
        "lapdp.theory.methods.moments": "A transform at a frequency where it is not the moment.",
        "lapdp.theory.methods.substitution": "A change of variable that is not onto.",
        "lapdp.theory.methods.level_zero": "The mass of the wrong member where the other one "
                                           "vanishes.",
        "lapdp.theory.methods.largest_losses": "A bound that is not real, the loss of the reversed "
                                               "pair, an order that is 1.",
        "lapdp.theory.methods.half_lines": "Two branches of a supremum that are not one; a "
        "threshold test taken for one of another level.",
        "lapdp.theory.methods.counterexamples": "A negation that is none; an instance outside the "
                                                "hypotheses.",
        "lapdp.theory.methods.domains": "A set that is no interval taken for one; an end that "
                                        "belongs to the domain left out.",
        "lapdp.theory.methods.descent": "A derivative of one sign on less than the whole domain; "
                                        "a weak sign taken for a strict one.",
        "lapdp.theory.methods.slopes": "Goals that do not imply what they are for; a multiplier "
                                       "that is not positive.",
        "lapdp.theory.methods.profile_order": "A claim on a part of the line taken for one on "
                                              "all of it; two pairs exchanged.",
        "lapdp.theory.methods.order": "A value that disappears before it is seen to be undefined.",
        "lapdp.theory.methods.expansions": "A remainder that is not below the first term left out.",
        "lapdp.theory.methods.asymptotics": "A leading term whose coefficient vanishes somewhere.",
    }),
    ("Balls, for strict inequalities on boxes", {
        "lapdp.theory.methods.numbers": "A notion whose ball leaves out a part of the pair.",
        "lapdp.theory.methods.gaussian_pairs": "A closed form of a Gaussian pair that is none; a "
                                               "hypothesis taken to hold at the instance.",
        "lapdp.theory.methods.branch_and_bound": "A box that does not hold the whole domain.",
        "lapdp.balls.boxes": "A part of the box that is never looked at.",
        "lapdp.balls.smooth": "A kink taken for a smooth point.",
        "lapdp.balls.compare": "An undecided comparison taken for a sign.",
        "lapdp.balls.evaluate": "Precision left at another value.",
        "lapdp.balls.compiler": "A ball across a kink differentiated as if it were smooth.",
        "lapdp.balls.conditions": "An undecided condition taken for false.",
        "lapdp.balls.elementary": "A finite ball across a branch cut.",
        "lapdp.balls.special": "The same, for special functions.",
        "lapdp.balls.functions": "A name bound to the wrong operation.",
        "lapdp.balls.envelope": "A bound of a tail that is none.",
        "lapdp.balls.bounds": "An inequality used below its range.",
        "lapdp.balls.hinges": "A sign claimed on an interval, or beyond one, where it changes.",
        "lapdp.balls.lattice": "A rest of a sum that is larger than its bound.",
    }),
)
"""Parts in reading order: module and what could go wrong there."""

BESIDE: dict[str, str] = {
    "lapdp.numeric": "The numeric column. It can withdraw a proof, never make one.",
    "lapdp.core.border": "Turns an unforeseen exception of a method into `undecided`.",
    "lapdp.proving": "Searches derivations. The kernel checks every step of what it finds.",
    "lapdp.theory.words": "The words of proof files under one roof; each is made elsewhere.",
    "lapdp.theory.judged": "A verdict with its statement, for users' eyes.",
    "lapdp.theory.fidelity": "How a statement stands to the print, as its file declares it.",
    "lapdp.theory.evaluation": "Values and inverses of transforms, for the reader; no verdict.",
    "lapdp.theory.witness": "Searches counterexamples. A mistake here makes a wrong `refuted`; "
                            "the witness is printed, so that anyone can re-check it.",
    "lapdp.privacy.tradeoff": "Exact trade-off functions of finite pairs: concrete pairs and "
                              "witnesses only.",
    "lapdp.theory.levels": "The same as values of statements.",
    "lapdp.theory.all_orders": "Bounds of Renyi divergences at all orders of one finite pair, for "
                               "witnesses only.",
    "lapdp.theory.feasible": "Linear programs of distributions, for witnesses only: what does not "
                             "exist has a combination of equations that anyone can multiply out.",
    "lapdp.theory.least_values": "Numbers that hypotheses determine at one exact instance, for "
                                 "witnesses only.",
    "lapdp.theory.suprema": "Suprema at one exact instance, for witnesses only.",
    "lapdp.theory.bound_values": "Where a bound variable runs, at one exact instance.",
    "lapdp.theory.free": "Values at one exact instance, for witnesses only.",
    "lapdp.theory.special_cases": "Statements at small whole numbers, for witnesses only.",
    "lapdp.theory.channel_instances": "The channels that the search for witnesses tries.",
    "lapdp.theory.instances": "The instances that the search tries.",
    "lapdp.theory.decades": "Values of letters that the search tries.",
    "lapdp.theory.rare": "Pairs that the search tries.",
    "lapdp.theory.several": "Exact instances of several distributions, for witnesses only.",
    "lapdp.theory.bounded": "What a fork found is handed over: `proved` only by a derivation that "
                            "the kernel accepts anew here.",
    "lapdp.theory.forked": "The fork itself.",
    "lapdp.theory.wild": "Functions outside the exact class, for witnesses only.",
    "lapdp.theory.scope": "Words a condition from failing cases. `holds under` is advice, no "
                          "theorem: state the repair and have it proved.",
    "lapdp.theory.methods.sampling": "Makes `tested` and `refuted`; hands boxes on.",
    "lapdp.theory.methods.telling_points": "Only says where to look.",
    "lapdp.theory.methods.turns": "The expressions to look at.",
    "lapdp.theory.methods.valleys": "Points that refute, and what keeps a claim from `tested`.",
    "lapdp.theory.methods.joint_descent": "Only says where to look.",
    "lapdp.theory.methods.charts": "Letters on the way there.",
    "lapdp.theory.methods.instances": "A relation at one exact point, for refutations.",
    "lapdp.balls.decimals": "Certified numbers for users; no verdict rests on them.",
    "lapdp.balls.identities": "Sampled comparisons: `tested` and `refuted` only.",
    "lapdp.balls.integrals": "Numbers for sampled comparisons.",
    "lapdp.balls.kinks": "Splits integrands for the same numbers.",
    "lapdp.theory.render": "Prints what was checked. A mistake here shows another formula than the "
                           "one proved, so compare `show` with the proof file.",
    "lapdp.theory.pair_words": "What pairs are made of, for the same lines.",
    "lapdp.theory.ranges": "Prints what mechanisms demand of parameters; sentences have their own.",
    "lapdp.calculus.export": "Writes answers as SymPy, for users' eyes.",
    "lapdp.calculus.evaluation": "Ball values of collected functions, for users' eyes.",
    "lapdp.privacy.binomial": "Certified profiles of copies of randomized response, the same.",
    "lapdp.privacy.binomial_circle": "Long binomial tails around a circle, the same.",
    "lapdp.privacy.ball_values": "The same for profile and loss of a pair.",
    "lapdp.privacy.notions.summands": "Writes closed forms as sums, for users' eyes.",
    "lapdp.privacy.notions.summed": "Writes profiles of many releases row by row.",
    "lapdp.calculus.smoothing": "Convolutions with a normal distribution, for users' eyes.",
    "lapdp.privacy.smoothed": "Profile and loss of products with Gaussian factors, the same.",
    "lapdp.privacy.duality": "Pairs made from profiles and trade-off functions, for users.",
    "lapdp.privacy.loss_sums": "Certified profiles of atomic products at one point, the same.",
    "lapdp.privacy.loss_grid": "Sums of losses for these.",
    "lapdp.privacy.binomial_tails": "Sums over binomial terms for these.",
    "lapdp.privacy.symbolic_powers": "Powers with a symbolic number of copies, for users' eyes.",
    "lapdp.privacy.finite_comparison": "Comparisons of finite pairs: `dominates`, no proof.",
    "lapdp.privacy.renyi_comparison": "Comparisons of moments, the same.",
    "lapdp.privacy.certified": "Passes questions for numbers on, for users.",
    "lapdp.accounting": "Answers of `pair.delta()` and `pair.epsilon()`.",
    "lapdp.privacy.notions": "Answers of `pair.profile()`, `pair.loss` and their like.",
    "lapdp.theory.discovery": "Finds statements.",
    "lapdp.theory.fingerprint": "Two sentences under one digest: a verdict other than proved, kept "
                                "for one, would be handed out for the other. `--no-cache` asks "
                                "for none.",
    "lapdp.theory.loading": "Runs proof files, which only declare.",
    "lapdp.theory.library": "Knows where the papers lie.",
    "lapdp.privacy.mechanism_table": "Mechanisms as tables of datasets, for users.",
    "lapdp.report": "Cards and drawings of statements and pairs: what was judged, shown.",
    "lapdp.theory.serving": "What such a process does with a task.",
    "lapdp.theory.course": "A run of many tasks; a result under the name of another statement.",
    "lapdp.theory.outlines": "What a run knows of statements whose files its workers execute.",
    "lapdp.theory.routes": "Which method is asked first; a hint, and no verdict.",
    "lapdp.theory.guards": "Refuses texts and values that are too large.",
    "lapdp.theory.task_outcome": "What comes back from them.",
    "lapdp.theory.indices": "Refuses indices that may be out of range.",
    "lapdp.theory.unclaimed": "Words for what is no claim, and refuses rounded numbers.",
    "lapdp.theory.untouched": "Refuses proof files that rebind names of lapdp.",
    "lapdp.theory.cache": "Keeps verdicts: another one than proved is believed if the record is of "
                          "this user and its checksum fits; proved never, the kernel reads the "
                          "derivation again.",
    "lapdp.theory.kept_verdicts": "Verdicts beside the proof files: no line of them says "
                                  "proved; another one is told as recorded, see below.",
    "lapdp.theory.cited_laws": "Which kept derivation of a law is tried; what the kernel then "
                               "accepts is `proved` by it alone.",
    "lapdp.theory.records": "The shape of such a record.",
    "lapdp.theory.disk": "How files are read and written.",
}
"""Modules the engine imports though no verdict rests on them, and the reason."""
