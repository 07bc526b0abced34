package org.pingala.spark

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, FilterExec, ProjectExec, SparkPlan}

/** Takes the functions out of projections and filters, so that [[BatchExec]] computes them for many rows at a time. */
object BatchRule extends ColumnarRule {
  override def preColumnarTransitions: Rule[SparkPlan] = Extract

  private object Extract extends Rule[SparkPlan] with PredicateHelper {
    override def apply(plan: SparkPlan): SparkPlan = plan.transformUp {
      case ProjectExec(list, child) if list.exists(found(_).nonEmpty) =>
        val (changed, below) = extract(list, child)
        ProjectExec(changed.map(_.asInstanceOf[NamedExpression]), below)
      case filter: FilterExec if filter.condition.exists(_.isInstanceOf[BatchExpression]) =>
        // The optimizer merges filters: conditions before the first function drop rows first, so that it need not be computed row by row.
        val (before, after) = splitConjunctivePredicates(filter.condition).span(!_.exists(_.isInstanceOf[BatchExpression]))
        val condition = after.reduceLeft(And(_, _))
        if (found(condition).isEmpty) {
          filter
        } else {
          val child = if (before.isEmpty) filter.child else FilterExec(before.reduceLeft(And(_, _)), filter.child)
          val (changed, below) = extract(Seq(condition), child)
          ProjectExec(filter.output, FilterExec(changed.head, below))
        }
    }
  }

  /** The functions to compute first: those that every row needs, and whose arguments have none that could be taken out before. */
  private def found(expression: Expression): Seq[BatchExpression] = expression match {
    case function: BatchExpression =>
      val inside = function.children.flatMap(found)
      if (inside.nonEmpty) inside else Seq(function)
    // Errors of a branch that is not taken must not be seen.
    case conditional: ConditionalExpression => conditional.alwaysEvaluatedInputs.flatMap(found)
    case And(left, _) => found(left)
    case Or(left, _) => found(left)
    case _: HigherOrderFunction | _: SubqueryExpression => Nil
    case other => other.children.flatMap(found)
  }

  /** Whether one result serves both. A function of random numbers does not even equal itself by its meaning. */
  private def same(a: BatchExpression, b: BatchExpression): Boolean = (a eq b) || a.semanticEquals(b)

  private def extract(expressions: Seq[Expression], child: SparkPlan): (Seq[Expression], SparkPlan) = {
    val functions = expressions.flatMap(found)
    if (functions.isEmpty) {
      return (expressions, child)
    }
    val named = functions.foldLeft(Vector.empty[(BatchExpression, AttributeReference)]) { (all, function) =>
      if (all.exists(one => same(one._1, function))) all
      else all :+ ((function, AttributeReference(function.functionName, function.dataType, nullable = true)()))
    }
    val changed = expressions.map(_.transformDown {
      case function: BatchExpression => named.find(one => same(one._1, function)).map(_._2).getOrElse(function)
    })
    extract(changed, BatchExec(named.map(_._1), named.map(_._2), child))
  }
}
